import Base
import HummingbirdCore
import NIOCore

/// The parts of a body. A body can be iterated only once, so all readers share the iterator.
actor BodyParts {
    private let body: RequestBody
    private var iterator: RequestBody.AsyncIterator?
    private nonisolated let end = AsyncEvent()

    init(_ body: RequestBody) { self.body = body }

    /// Whether a reader has reached the end of the body.
    nonisolated var haveEnded: Bool { end.isSignalled }

    /// Returns the next part; `nil` at the end. Only one task at a time calls the method.
    func next() async throws -> ByteBuffer? {
        var iterator = iterator ?? body.makeAsyncIterator()
        defer { self.iterator = iterator }
        let part = try await iterator.next(isolation: self)
        if part == nil { end.signal() }
        return part
    }
}

/// A body that is read while its response is written.
package struct StreamedBody: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = any Error

    let parts: BodyParts
    let connection: Connection
    /// The longest time between two parts, while the handler waits for the next one.
    let patience: Duration

    /// Tells the connection whether the reader of the body waits for the client to read the response. The client then has
    /// the time of any response for that.
    package func wait(forReader isWaiting: Bool) {
        isWaiting ? connection.endReceiving() : connection.beginReceiving()
    }

    package struct Iterator: AsyncIteratorProtocol {
        let body: StreamedBody

        package mutating func next() async throws -> [UInt8]? {
            let alarm = body.connection.close(after: body.patience)
            defer { alarm.cancel() }
            guard let part = try await body.parts.next() else {
                body.connection.endReceiving()
                return nil
            }
            return Array(part.readableBytesView)
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(body: self) }
}
