package import Base
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NotificationModel

/// The body of a request while it is received, with limits on its bytes and its time.
struct IncomingBody {
    private let head: HTTPRequest
    private let connection: Connection
    private let parts: BodyParts
    /// The value of `Content-Length`; `nil` if the request has no such field.
    private let declaredLength: Int?
    private var mayBeUnread: Bool
    /// The lease of a large body; `nil` if the body needs no lease, or if the lease is taken.
    private var lease: ByteLease?

    init(_ request: Request, connection: Connection) {
        head = request.head
        self.connection = connection
        parts = BodyParts(request.body)
        let length = head.headerFields[.contentLength]
        declaredLength = length.flatMap { Int($0) }
        mayBeUnread =
            connection.isStream || (length != nil && length != "0") || head.headerFields.contains(.transferEncoding)
    }

    /// Whether unread bytes of the body may still arrive. If so, the connection or the stream cannot be used again.
    var isUnread: Bool { mayBeUnread && !parts.haveEnded && !(connection.isStream && connection.bodyHasEnded) }

    /// Whether the client sends the body only after a 100 response (RFC 9110 §10.1.1).
    var waitsForContinue: Bool {
        isUnread && !connection.speaksOldHTTP && head.headerFields[.expect]?.lowercased() == "100-continue"
    }

    /// Checks the declared length before the body is read, and takes a lease if the body is large.
    @concurrent mutating func admit(most limit: Int, memory: BodyMemory) async throws(Problem) {
        guard let length = declaredLength else { return }
        guard length <= limit else { throw Self.tooLarge(limit) }
        if length > memory.threshold { lease = try await memory.lease(length) }
    }

    /// Reads the whole body. If the client takes longer than `time`, its connection is closed.
    ///
    /// A body of undeclared length takes the lease of the largest body when it needs one. Its bytes are not read while
    /// it waits.
    @concurrent mutating func collect(
        most limit: Int, within time: Duration, memory: BodyMemory
    ) async throws(Problem) -> [UInt8] {
        // A small body has usually arrived with its head, and then needs no timer.
        let alarm = connection.bodyHasEnded ? nil : connection.close(after: time)
        defer { alarm?.cancel() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(declaredLength ?? 0)
        do {
            while let part = try await parts.next() {
                let count = bytes.count + part.readableBytes
                guard count <= limit else { throw Self.tooLarge(limit) }
                if lease == nil, count > memory.threshold { lease = try await memory.lease(limit) }
                bytes += part.readableBytesView
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            // The decoder failed, or the connection is closed. No further bytes can be read.
            throw Problem(.badRequest, "The body is truncated, or its chunks are malformed.")
        }
        mayBeUnread = false
        return bytes
    }

    /// Returns the lease of a large body, and gives up this reference to it.
    ///
    /// - Returns: `nil` if the body needs no lease.
    mutating func takeLease() -> ByteLease? {
        defer { lease = nil }
        return lease
    }

    /// Closes the sending half of the connection, and reads and discards the bytes that still arrive.
    @concurrent mutating func drop(within time: Duration) async {
        let alarm = connection.close(after: time)
        defer { alarm.cancel() }
        connection.dropsBody = true
        try? await connection.channel.close(mode: .output)
        while (try? await parts.next()) != nil {}
    }

    /// Returns the parts of the body, for a handler that reads them while it writes its response.
    ///
    /// - Parameter patience: The longest time between two parts. A client that takes longer is disconnected.
    func stream(within patience: Duration) -> StreamedBody {
        connection.beginReceiving()
        return StreamedBody(parts: parts, connection: connection, patience: patience)
    }

    private static func tooLarge(_ limit: Int) -> Problem {
        Problem(.tooLarge, "A body can have at most \(limit) bytes.", members: ["most": .number(JSONNumber(limit))])
    }
}

/// The memory for bodies that need a lease. Smaller bodies never wait.
package struct BodyMemory: Sendable {
    let limiter: ByteLimiter
    let clock: any RequestClock
    let patience: Duration
    /// The size in bytes above which a body needs a lease.
    var threshold = LargePayloadExecutor.threshold
    /// The minimum number of bytes that are leased for a body.
    var least = 0

    /// Takes a lease for a body whose values take far more memory than its bytes.
    ///
    /// - Returns: A lease for the body and its values; `nil` if the body needs no lease.
    @concurrent package func leaseForValues(of body: [UInt8]) async throws(Problem) -> ByteLease? {
        guard let footprint = LargeValues.footprint(of: body) else { return nil }
        guard footprint <= limiter.most else {
            throw Problem(
                .tooLarge,
                "The values of the body take about \(footprint) bytes of memory. At most \(limiter.most) are permitted.",
                members: ["most": .number(JSONNumber(limiter.most))])
        }
        return try await lease(footprint)
    }

    @concurrent func lease(_ count: Int) async throws(Problem) -> ByteLease {
        guard let lease = await limiter.lease(max(count, least), within: patience, on: clock) else {
            throw Problem(
                .full, "Other bodies use all the memory for them. Try again in 1 s.", headers: [.retryAfter: "1"])
        }
        return lease
    }
}
