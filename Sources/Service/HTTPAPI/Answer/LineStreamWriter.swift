import Base
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A writer of lines while their source produces them. The writer ends when the source ends, the
/// client disconnects or the server drains.
///
/// The source waits until the client has received its values, except for those of its last call. A client that reads
/// nothing therefore stops the source, and no response is buffered for it.
package struct LineStreamWriter: Sendable {
    /// A producer of lines.
    package struct Source: Sendable {
        /// Whether the server that drains does not cancel the producer, because it soon ends by itself.
        var endsWhenDraining = false
        /// Produces lines of bytes, each with its end. The function passes them to `write`, which returns when there is
        /// space for more.
        let run: @Sendable (_ write: @escaping @Sendable ([UInt8]) async -> Void) async -> Void

        package init(
            endsWhenDraining: Bool = false,
            _ run: @escaping @Sendable (_ write: @escaping @Sendable ([UInt8]) async -> Void) async -> Void
        ) { (self.endsWhenDraining, self.run) = (endsWhenDraining, run) }
    }

    /// The number of bytes after which a piece of the response ends, at the end of a line.
    private static let pieceLength = 64 << 10
    /// The time for the rest of the response when the daemon ends.
    private static let farewell: Duration = .seconds(1)

    static let headers: HTTPFields = [
        .contentType: "application/x-ndjson", .cacheControl: "no-store", .buffering: "no",
    ]

    let draining: AsyncEvent

    @concurrent func write(
        _ source: Source, to writer: consuming some ResponseBodyWriter, over connection: Connection
    ) async throws {
        let handover = PieceHandover()
        // The source runs on threads that notifications also need, so it only gets idle time. A child task, or a task
        // whose value the parent awaits, would have the priority of the parent.
        let work = Task(priority: .utility) {
            await run(source, into: handover, over: connection)
            handover.end()
            // A client that reads nothing must not keep the daemon from ending, even if the source ended before the
            // drain. The end of this response cancels both waits.
            await draining.wait()
            guard (try? await Task.sleep(for: Self.farewell)) != nil else { return }
            connection.close()
        }
        defer { work.cancel() }
        for await piece in handover.pieces {
            try await writer.write(piece)
            handover.hasTaken()
        }
        try await writer.finish(nil)
    }

    /// Runs the source, and returns when it has ended. A disconnected client or a draining server cancels the source.
    private func run(
        _ source: Source, into handover: PieceHandover, over connection: Connection
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await source.run { lines in await Self.put(lines, into: handover) } }
            group.addTask { await connection.gone.wait() }
            if !source.endsWhenDraining { group.addTask { await draining.wait() } }
            await group.next()
            group.cancelAll()
        }
    }

    private static func put(_ lines: [UInt8], into handover: PieceHandover) async {
        var rest = lines[...]
        while !rest.isEmpty {
            let lineEnd = rest.dropFirst(pieceLength - 1).firstIndex(of: UInt8(ascii: "\n"))
            let piece = rest[..<(lineEnd.map { $0 + 1 } ?? rest.endIndex)]
            await handover.put(ByteBuffer(bytes: piece))
            rest = rest[piece.endIndex...]
        }
    }
}

/// A channel that passes pieces of text from one task to another, one at a time.
private final class PieceHandover: Sendable {
    let pieces: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation
    private let memory = AsyncSemaphore(permits: 1)

    init() {
        (pieces, continuation) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(1))
    }

    /// Passes a piece on, after the previous piece was taken. If the task is cancelled during the wait, the piece is
    /// discarded.
    func put(_ piece: ByteBuffer) async {
        if await memory.acquire(elseWait: {}) { continuation.yield(piece) }
    }

    func hasTaken() { memory.release() }

    func end() { continuation.finish() }
}
