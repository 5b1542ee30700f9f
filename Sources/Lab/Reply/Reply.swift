import NIOCore
package import NIOHTTP1

/// What the origin answers: what it says, and how. Framing comes later, in ``Delivery``.
package struct Reply: Sendable {
    package var status: HTTPResponseStatus
    package var fields: HTTPHeaders
    package var body: ReplyBody
    package var manner = Manner()
    /// The request was none that the origin takes; it is counted as such.
    package var isRefusal = false
    /// The connection is of no use for another request.
    package var closesConnection = false

    /// A page of the origin's own making.
    package static func page(_ status: HTTPResponseStatus, _ message: String) -> Reply {
        let title = "\(status.code) \(status.reasonPhrase)"
        // A status without a body says nothing about one: a cache would take a 304's type for the file's.
        return Reply(
            status: status, fields: status.mayHaveResponseBody ? ["Content-Type": ContentType.html] : [:],
            body: .bytes(ByteBuffer(string: HTMLPage.text(title: title, message: message))))
    }

    /// A page that says what was wrong with the request.
    package static func refusal(_ status: HTTPResponseStatus, _ message: String, closing: Bool = false) -> Reply {
        var reply = page(status, message)
        reply.isRefusal = true
        reply.closesConnection = closing
        return reply
    }
}

/// What faults make of a file before it is a reply.
package struct Serving: Sendable, Equatable {
    package var change: FileChange?
    package var coding: ContentCoding?
    package var ranges = RangeManner.answered

    package init() {}

    /// `false` where the fault is none of these. Of two changes, codings or manners the inner one counts.
    mutating func take(_ fault: Fault) -> Bool {
        switch fault {
        case .changed(let change): self.change = change
        case .encoding(let coding): self.coding = coding
        case .range(let manner): ranges = manner
        default: return false
        }
        return true
    }
}
