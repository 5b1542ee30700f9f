package import NIOHTTP1

/// A reply made ready for one connection: its exact head, how many body bytes follow it, and what follows those.
package struct Delivery: Sendable {
    /// What comes after the last body byte.
    package enum Ending: Sendable, Equatable {
        /// The response is whole; the connection is kept for the next request, or closed in order.
        case complete(keepAlive: Bool)
        /// The response stays as it is.
        case broken(Cut.Manner)
    }

    package let head: HTTPResponseHead
    /// The head is spread over so long.
    package let slowHead: Duration?
    /// The head's fields have no end, and nothing comes after them.
    package let headIsEndless: Bool
    package let body: ReplyBody
    /// Between the request and the head; `nil` where no head ever comes.
    package let delay: Duration?
    package let pace: Pace?
    /// Body bytes to send; `nil` for an endless body.
    package let length: Int?
    package let ending: Ending

    package init(_ reply: Reply, for request: HTTPRequestHead) {
        let manner = reply.manner
        let isHTTP10 = request.version.major == 1 && request.version.minor == 0
        // HTTP/1.0 has no chunks, and its keep-alive is not worth having. Where a field about the body's end was made
        // up, only the connection's end is one.
        let keepAlive =
            request.isKeepAlive && !isHTTP10 && !reply.closesConnection
            && !manner.fieldEdits.contains(where: \.changesFraming)
        let mayHaveBody = reply.status.mayHaveResponseBody
        let sendsBody = mayHaveBody && request.method != .HEAD
        let size = reply.body.count

        var fields = reply.fields
        if manner.liesAboutType { fields.replaceOrAdd(name: "Content-Type", value: ContentType.html) }
        if mayHaveBody, !manner.isEndless {
            let claimed = manner.liesAboutLength ? size + Fault.excessLength : size
            fields.replaceOrAdd(name: "Content-Length", value: String(claimed))
        } else if sendsBody, !isHTTP10 {
            fields.replaceOrAdd(name: "Transfer-Encoding", value: "chunked")
        }
        if !keepAlive { fields.replaceOrAdd(name: "Connection", value: "close") }
        fields = manner.edited(fields)
        fields.pad(with: manner.headPadding)
        head = HTTPResponseHead(version: .http1_1, status: reply.status, headers: fields)
        slowHead = manner.slowHead
        headIsEndless = manner.headIsEndless
        body = reply.body
        delay = manner.isSilent ? nil : manner.delay
        pace = manner.time(ofBody: size).flatMap { Pace(bytes: size, over: $0) }

        let whole = !sendsBody ? 0 : manner.isEndless ? nil : size
        if sendsBody, let cut = manner.cut, cut.offset < whole ?? .max {
            length = cut.offset
            ending = .broken(cut.manner)
        } else {
            length = whole
            ending = sendsBody && manner.liesAboutLength ? .broken(.close) : .complete(keepAlive: keepAlive)
        }
    }
}

extension HTTPHeaders {
    /// Adds fields of so many bytes together, in lines of moderate length; a few more where it is less than one line.
    fileprivate mutating func pad(with bytes: Int) {
        let name = "X-Padding"
        var rest = bytes
        while rest > 0 {
            // The last line takes in what would be too little for one of its own.
            let length = rest < 2 * FaultyHead.lineLength ? rest : FaultyHead.lineLength
            add(name: name, value: FaultyHead.filler(name, lineLength: length))
            rest -= length
        }
    }
}
