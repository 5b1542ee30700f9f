package import NIOHTTP1

/// A reply for one connection: its exact head, the number of body bytes, and the action after the last of them.
package struct Delivery: Sendable {
    /// The action after the last body byte.
    package enum Ending: Sendable, Equatable {
        /// The response is complete. The connection is kept for the next request, or closed in order.
        case complete(keepAlive: Bool)
        /// The response breaks off before its end.
        case broken(Cut.ReplyOptions)
    }

    package let head: HTTPResponseHead
    /// The time over which the head is spread; `nil` if it is sent at once.
    package let slowHead: Duration?
    /// Whether the headers never end. No body follows them.
    package let headIsEndless: Bool
    package let body: ReplyBody
    /// The time between the request and the head; `nil` if no head is ever sent.
    package let delay: Duration?
    package let pace: Pace?
    /// The largest number of body bytes in a packet; `nil` if it is not limited.
    package let slice: Int?
    /// The number of body bytes to send; `nil` if the body is endless.
    package let length: Int?
    package let ending: Ending

    package init(_ reply: Reply, for request: HTTPRequestHead) {
        let options = reply.options
        let isHTTP10 = request.version.major == 1 && request.version.minor == 0
        // HTTP/1.0 has no chunked coding, and its keep-alive is not supported. If a fault has changed a framing header,
        // only the end of the connection marks the end of the body.
        let keepAlive =
            request.isKeepAlive && !isHTTP10 && !reply.closesConnection
            && !options.fieldEdits.contains(where: \.changesFraming)
        let mayHaveBody = reply.status.mayHaveResponseBody
        let sendsBody = mayHaveBody && request.method != .HEAD
        let size = reply.body.count

        var fields = reply.fields
        if options.liesAboutType { fields.replaceOrAdd(name: "Content-Type", value: ContentType.html) }
        if mayHaveBody, !options.isEndless {
            let claimed = options.liesAboutLength ? size + Fault.excessLength : size
            fields.replaceOrAdd(name: "Content-Length", value: String(claimed))
        } else if sendsBody, !isHTTP10 {
            fields.replaceOrAdd(name: "Transfer-Encoding", value: "chunked")
        }
        if !keepAlive { fields.replaceOrAdd(name: "Connection", value: "close") }
        fields = options.edited(fields)
        fields.pad(with: options.headPadding)
        head = HTTPResponseHead(version: .http1_1, status: reply.status, headers: fields)
        slowHead = options.slowHead
        headIsEndless = options.headIsEndless
        body = reply.body
        delay = options.isSilent ? nil : options.delay
        pace =
            options.time(ofBody: size).flatMap { Pace(bytes: size, over: $0) }
            ?? options.dribble.flatMap { Pace(bytes: size, over: $0.time, tick: $0.time / $0.pieces) }
        slice = options.slice

        let whole = !sendsBody ? 0 : options.isEndless ? nil : size
        if sendsBody, let cut = options.cut, cut.offset < whole ?? .max {
            length = cut.offset
            ending = .broken(cut.options)
        } else {
            length = whole
            ending = sendsBody && options.liesAboutLength ? .broken(.close) : .complete(keepAlive: keepAlive)
        }
    }
}

extension HTTPHeaders {
    /// Adds headers with a total number of bytes, in lines of moderate length. A number below one line is exceeded.
    fileprivate mutating func pad(with bytes: Int) {
        let name = "X-Padding"
        var rest = bytes
        while rest > 0 {
            // The last line includes a remainder that would be too short for a line of its own.
            let length = rest < 2 * FaultyHead.lineLength ? rest : FaultyHead.lineLength
            add(name: name, value: FaultyHead.filler(name, lineLength: length))
            rest -= length
        }
    }
}

/// The decision about the next step of a delivery's body, or of a head that is sent in pieces. The owner performs the
/// steps and passes the elapsed time.
package struct DeliveryProgress {
    package enum Step: Equatable {
        /// Send up to `limit` bytes from `offset`, and report them with ``DeliveryProgress/sent(_:)``.
        case send(offset: Int, limit: Int)
        /// Ask again when this time has passed since the first piece was due.
        case wait(until: Duration)
        case end(Delivery.Ending)
    }

    /// The largest piece for one read of a file and one write to a socket. A small piece does not block the event loop.
    package static let largestPiece = 64 * 1024

    private let length: Int?
    private let pace: Pace?
    private let ending: Delivery.Ending
    private var offset = 0

    package init(_ delivery: Delivery) {
        length = delivery.length
        pace = delivery.pace
        ending = delivery.ending
    }

    /// Creates the progress of a head, which the body follows.
    init(_ head: FaultyHead, over duration: Duration?) {
        length = head.length
        pace = duration.flatMap { head.pace(over: $0) }
        ending = .complete(keepAlive: true)
    }

    /// Returns the next step, at a time that is counted from the instant at which the first piece was due.
    package func next(at elapsed: Duration) -> Step {
        let end = length ?? .max
        guard offset < end else { return .end(ending) }
        let due = min(end, pace?.offset(at: elapsed) ?? .max)
        guard offset < due else { return .wait(until: pace?.nextTick(after: elapsed) ?? elapsed) }
        return .send(offset: offset, limit: min(due - offset, Self.largestPiece))
    }

    package mutating func sent(_ count: Int) { offset += count }
}
