import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NotificationModel

/// A request's body on its way in, bounded in bytes and in time.
struct IncomingBody {
    private let head: HTTPRequest
    private let connection: Connection
    private let body: RequestBody
    private var iterator: RequestBody.AsyncIterator?
    /// Whether something may still be coming that nobody has read. Then the connection cannot be used again.
    private(set) var isUnread: Bool

    init(_ request: Request, connection: Connection) {
        head = request.head
        self.connection = connection
        body = request.body
        let length = head.headerFields[.contentLength]
        isUnread = (length != nil && length != "0") || head.headerFields[.transferEncoding] != nil
    }

    /// Whether the client sends the body only when it is told to (RFC 9110 §10.1.1).
    var waitsForContinue: Bool {
        isUnread && !connection.speaksOldHTTP && head.headerFields[.expect]?.lowercased() == "100-continue"
    }

    /// Refuses by what the head says, before anything is read.
    func checkLength(most limit: Int) throws(Problem) {
        if let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Self.tooLarge(limit)
        }
    }

    /// The whole body. A client that takes longer is closed on.
    @concurrent mutating func collect(most limit: Int, within time: Duration) async throws(Problem) -> [UInt8] {
        let alarm = connection.close(after: time)
        defer { alarm.cancel() }
        var bytes: [UInt8] = []
        do {
            while let part = try await next() {
                guard bytes.count + part.readableBytes <= limit else { throw Self.tooLarge(limit) }
                bytes += part.readableBytesView
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            // The decoder gave up, or the connection is gone: nobody will read on.
            throw Problem(.badRequest, "The body ends before its end, or its chunks are malformed.")
        }
        isUnread = false
        return bytes
    }

    /// Says that nothing more is written, and reads and drops what still comes.
    @concurrent mutating func drop(within time: Duration) async {
        let alarm = connection.close(after: time)
        defer { alarm.cancel() }
        try? await connection.channel.close(mode: .output)
        while (try? await next()) != nil {}
    }

    /// There is one iterator, for there are no second ones.
    @concurrent private mutating func next() async throws -> ByteBuffer? {
        if iterator == nil { iterator = body.makeAsyncIterator() }
        return try await iterator?.next()
    }

    private static func tooLarge(_ limit: Int) -> Problem {
        Problem(.tooLarge, "A body has at most \(limit) bytes.", members: ["most": .number(JSONNumber(limit))])
    }
}
