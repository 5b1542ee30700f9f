import Base
import Glibc
import HTTPAPI
import HummingbirdCore
import LinuxIO
import NIOCore

/// The renditions of all containers as files that phones download. Small files that are downloaded often are in memory,
/// and other files are read piece by piece while their clients take them.
///
/// **Input.** The addresses of renditions. No other file can have such an address.
///
/// **Output.** The sizes and the bytes of files.
///
/// **Refused.** Directories, files that cannot be read, and symbolic links with the name of a rendition count as missing.
///
/// **Bounds.** All files in memory have `maxHotBytes`. A slow client has one piece, and the bytes that its channel takes
/// before it has no more room. No file stays open while its client reads.
///
/// **Threads.** The executor reads files, so that a slow disk delays no other call.
final class MediaFiles: Sendable {
    /// A file that exists.
    struct File: Sendable {
        let address: MediaAddress
        let byteCount: Int
        /// The bytes; `nil` if they are not in memory.
        var bytes: ByteBuffer?
    }

    private static let maxHotBytes = 16 << 20
    /// The maximum size of one file in memory.
    private static let maxHotBytesOfFile = 128 << 10

    private let root: String
    private let executor: any TaskExecutor
    private let hot = Guarded(HotMedia(maxBytes: maxHotBytes))

    /// - Parameter executor: The executor that waits for the disk.
    init(root: String, on executor: any TaskExecutor) { (self.root, self.executor) = (root, executor) }

    /// Looks for a file on the disk, and returns it; `nil` if it does not exist.
    ///
    /// - Parameter isRead: Whether the bytes are needed.
    func file(at address: MediaAddress, isRead: Bool) async -> File? {
        await Task(executorPreference: executor) { [self] in look(at: address, isRead: isRead) }.value
    }

    private func look(at address: MediaAddress, isRead: Bool) -> File? {
        let generation = hot.withLock(\.generation)
        guard let status = try? FileSystem.look(at: path(of: address)), status.kind == .regular else {
            hot.withLock { $0.remove(address) }
            return nil
        }
        var file = File(address: address, byteCount: status.byteCount)
        guard isRead, file.byteCount <= Self.maxHotBytesOfFile else { return file }
        file.bytes = hotBytes(of: address)
        if file.bytes == nil, let bytes = try? read(address, 0..<file.byteCount), bytes.readableBytes == file.byteCount
        {
            hot.withLock { $0.insert(bytes, of: address, readIn: generation) }
            file.bytes = bytes
        }
        return file
    }

    /// Returns the bytes of a file in memory, without a look at the disk; `nil` if it is not in memory.
    func hotBytes(of address: MediaAddress) -> ByteBuffer? { hot.withLock { $0.bytes(of: address) } }

    /// Forgets all files in memory, so that a removed file is not sent any more.
    func forget() { hot.withLock { $0.removeAll() } }

    /// Returns some bytes of a file.
    ///
    /// - Throws: ``SystemError`` if the file was removed or cannot be read.
    func bytes(of address: MediaAddress, _ range: Range<Int>) async throws -> ByteBuffer {
        try await Task(executorPreference: executor) { [self] in try read(address, range) }.value
    }

    private func path(of address: MediaAddress) -> String { "\(root)/\(address.path)" }

    private func read(_ address: MediaAddress, _ range: Range<Int>) throws(SystemError) -> ByteBuffer {
        let file = try FileSystem.openForReading(path(of: address))
        return ByteBuffer(bytes: try FileSystem.bytes(of: file, at: range.lowerBound, count: range.count))
    }
}

/// A part of a file, as the body of a response.
struct MediaPart: FileBody {
    /// The maximum size of a piece, in bytes.
    private static let piece = 16 << 10

    let address: MediaAddress
    /// The bytes of the file, from its first byte 0.
    let range: Range<Int>
    let files: MediaFiles
    /// The time for the rest of the download when the daemon ends.
    let farewell: Duration

    @concurrent func write(
        to writer: consuming some ResponseBodyWriter, over connection: Connection, until draining: AsyncEvent
    ) async throws {
        let ending = draining.whenSignalled { _ = connection.close(after: farewell) }
        defer { draining.forget(ending) }
        var offset = range.lowerBound
        while offset < range.upperBound {
            let next = offset..<min(range.upperBound, offset + Self.piece)
            let bytes = try await files.bytes(of: address, next)
            guard bytes.readableBytes == next.count else { throw SystemError("read", errno: EIO) }
            try await writer.write(bytes)
            // The writer waits for room if the channel has none. The channel knows that after it has got the piece.
            try await connection.channel.eventLoop.submit {}.get()
            offset = next.upperBound
        }
        try await writer.finish(nil)
    }
}
