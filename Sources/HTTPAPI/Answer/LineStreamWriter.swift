import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
import NotificationModel

/// Writes values as lines of JSON while they come, until the last one, or until the client leaves or the server drains.
struct LineStreamWriter: Sendable {
    let draining: AsyncEvent

    static let headers: HTTPFields = [.contentType: "application/x-ndjson", .cacheControl: "no-store"]

    @concurrent func write(
        _ lines: AsyncStream<JSONValue>, to writer: consuming some ResponseBodyWriter, over connection: Connection
    ) async throws {
        // The end of this stream cancels the task that reads the other one, and with that the work behind it.
        let (open, stop) = AsyncStream.makeStream(of: JSONValue.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await line in lines { stop.yield(line) }
                stop.finish()
            }
            group.addTask {
                await connection.gone.wait()
                stop.finish()
            }
            group.addTask {
                await draining.wait()
                stop.finish()
            }
            defer { group.cancelAll() }
            for await line in open { try await writer.write(ByteBuffer(bytes: JSONWriter.bytes(of: line) + [0x0A])) }
        }
        try await writer.finish(nil)
    }
}
