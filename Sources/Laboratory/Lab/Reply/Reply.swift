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
        // A response without a body must not describe one: a cache would take the type in a 304 for the file's type.
        return Reply(
            status: status, fields: status.mayHaveResponseBody ? ["Content-Type": ContentType.html] : [:],
            body: .bytes(ByteBuffer(string: html(title: title, message: message))))
    }

    /// Returns a small HTML page, as real origins send it with errors.
    private static func html(title: String, message: String) -> String {
        func escaped(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(escaped(title))</title></head>
            <body><h1>\(escaped(title))</h1><p>\(escaped(message))</p></body></html>

            """
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
struct Serving {
    var change: FileChange?
    var coding: ContentCoding?
    var ranges = RangeSupport.answered

    /// Applies a fault, and returns `false` if the fault does not change the file. The last fault of a kind applies.
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
