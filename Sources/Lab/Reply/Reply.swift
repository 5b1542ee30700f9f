import NIOCore
package import NIOHTTP1

/// A reply of the origin: its content, and the options with which it is sent. ``Delivery`` adds the framing.
package struct Reply: Sendable {
    package var status: HTTPResponseStatus
    package var fields: HTTPHeaders
    package var body: ReplyBody
    package var options = ReplyOptions()
    /// Whether the origin refuses the request. Such a request is counted in ``OriginCounts/requestsRefused``.
    package var isRefusal = false
    /// Whether the connection cannot be used for another request.
    package var closesConnection = false

    /// Returns an HTML page with a status and a message.
    package static func page(_ status: HTTPResponseStatus, _ message: String) -> Reply {
        let title = "\(status.code) \(status.reasonPhrase)"
        // A response without a body must not describe one: a cache would mistake the type in a 304 for the type of the
        // file.
        return Reply(
            status: status, fields: status.mayHaveResponseBody ? ["Content-Type": ContentType.html] : [:],
            body: .bytes(ByteBuffer(string: HTMLPage.text(title: title, message: message))))
    }

    /// Returns a page with the error of the request.
    package static func refusal(_ status: HTTPResponseStatus, _ message: String, closing: Bool = false) -> Reply {
        var reply = page(status, message)
        reply.isRefusal = true
        reply.closesConnection = closing
        return reply
    }
}

/// The faults that change a file before it becomes a reply.
package struct Serving: Sendable, Equatable {
    package var change: FileChange?
    package var coding: ContentCoding?
    package var ranges = RangeSupport.answered

    package init() {}

    /// Applies a fault, and returns `false` if the fault does not change the file. If several faults of one kind are in
    /// the path, the last one applies.
    mutating func take(_ fault: Fault) -> Bool {
        switch fault {
        case .changed(let change): self.change = change
        case .encoding(let coding): self.coding = coding
        case .range(let options): ranges = options
        default: return false
        }
        return true
    }
}

/// The small HTML pages that real origins send with errors.
package enum HTMLPage {
    package static func text(title: String, message: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>\(escape(title))</title></head>
        <body><h1>\(escape(title))</h1><p>\(escape(message))</p></body></html>

        """
    }

    private static func escape(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
    }
}
