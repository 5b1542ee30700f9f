import Base
import LinuxIO
import NotificationModel

/// A file of a batch.
///
/// A file with a path is open only while a piece of it is read or written, so that any number of stored batches holds no
/// descriptor. All files are used on one thread, one after the other.
struct BatchFile: Sendable {
    private enum Place {
        case path(String)
        /// A file without a name, which is open until its last user has gone.
        case unnamed(MediaFile)
    }

    /// The maximum number of bytes that are read at a time.
    static let pieceBytes = 64 << 10
    /// The time after which a file is opened again, if the system has no free descriptor.
    private static let pause: Duration = .seconds(1)

    let loop: EventLoop
    private let place: Place
    private let clock: any RequestClock

    /// - Parameter path: The path of a file, which is created when it is first opened.
    init(_ path: String, on loop: EventLoop, clock: any RequestClock) {
        (self.place, self.loop, self.clock) = (.path(path), loop, clock)
    }

    /// Creates a file without a name in a directory.
    init(unnamedIn directory: String, on loop: EventLoop, clock: any RequestClock) async throws(SystemError) {
        let file = try await loop.perform { () throws(SystemError) in try AnonymousFile.create(in: directory) }
        (self.place, self.loop, self.clock) = (.unnamed(file), loop, clock)
    }

    /// Returns the bytes from an offset, at most `most` and at most `pieceBytes`. They are empty at the end of the file.
    func piece(at offset: Int, most: Int = pieceBytes) async throws(SystemError) -> [UInt8] {
        try await use { file throws(SystemError) in
            try FileSystem.bytes(of: file, at: offset, count: min(most, Self.pieceBytes))
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) async throws(SystemError) {
        try await use { file throws(SystemError) in try FileSystem.write(bytes, to: file, at: offset) }
    }

    func sync() async throws(SystemError) {
        try await use { file throws(SystemError) in try FileSystem.sync(file) }
    }

    func byteCount() async throws(SystemError) -> Int {
        try await use { file throws(SystemError) in try FileSystem.size(of: file) }
    }

    func truncate(to byteCount: Int) async throws(SystemError) {
        try await use { file throws(SystemError) in try FileSystem.truncate(file, to: byteCount) }
    }

    /// Calls a function with the open file. Without a free descriptor, the call waits for one.
    private func use<Value: Sendable>(
        _ body: @escaping @Sendable (MediaFile) throws(SystemError) -> Value
    ) async throws(SystemError) -> Value {
        while true {
            do throws(SystemError) {
                return try await loop.perform { [place] () throws(SystemError) in
                    switch place {
                    case .path(let path): try body(FileSystem.openForUpdate(path))
                    case .unnamed(let file): try body(file)
                    }
                }
            } catch {
                guard error.isOutOfDescriptors, !Task.isCancelled else { throw error }
                await clock.sleep(until: clock.now.advanced(by: Self.pause))
            }
        }
    }
}

/// The bytes of a file, in pieces. Other work of the thread runs between two pieces.
struct FilePieces: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let file: BatchFile

    struct Iterator: AsyncIteratorProtocol {
        let file: BatchFile
        var offset = 0

        mutating func next() async throws -> [UInt8]? { try await piece() }

        /// Returns the next piece; `nil` at the end.
        mutating func piece() async throws(SystemError) -> [UInt8]? {
            let bytes = try await file.piece(at: offset)
            offset += bytes.count
            return bytes.isEmpty ? nil : bytes
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }
}
