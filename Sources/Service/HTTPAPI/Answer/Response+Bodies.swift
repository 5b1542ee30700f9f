import Base
import HTTPTypes
import HummingbirdCore
import NIOCore
import NotificationModel

extension Response {
    static func json(
        _ value: JSONValue, status: HTTPResponse.Status = .ok, type: String = "application/json"
    ) -> Response {
        bytes(JSONWriter.bytes(of: value), status: status, type: type)
    }

    static func text(
        _ text: String, status: HTTPResponse.Status = .ok, type: String = "text/plain; charset=utf-8"
    ) -> Response {
        bytes(Array(text.utf8), status: status, type: type)
    }

    static func content(_ content: EmittedContent) -> Response {
        var response = bytes(content.json, status: .ok, type: "application/json")
        let known = content.facts?.timing
        let json = known == nil ? try? JSONParser.value(of: content.json) : nil
        if let timing = known ?? json.flatMap({ ResultTiming($0) }) {
            response.headers[.serverTiming] = timing.parts.map(\.text).joined(separator: ", ")
            response.headers[.slack] = "\(timing.slack)"
        }
        return response
    }

    /// A response with status 204, which has no body and no `Content-Length` (RFC 9110 §8.6).
    static var noContent: Response {
        var response = Response(status: .noContent)
        response.headers[.contentLength] = nil
        return response
    }

    static func bytes(_ bytes: [UInt8], status: HTTPResponse.Status, type: String) -> Response {
        Response(status: status, headers: [.contentType: type], body: .inParts(bytes))
    }
}

extension ResponseBody {
    private static let partBytes = 65_536

    /// A body that is copied and written in parts, so that a large one does not delay the other tasks of its thread.
    fileprivate static func inParts(_ bytes: [UInt8]) -> ResponseBody {
        guard bytes.count > partBytes else { return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) }
        return ResponseBody(contentLength: bytes.count) { writer in
            for start in stride(from: 0, to: bytes.count, by: partBytes) {
                try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + partBytes, bytes.count)]))
            }
            try await writer.finish(nil)
        }
    }
}

extension ResultTiming.Part {
    /// The part as a metric of `Server-Timing` (W3C Server Timing, 3.1), in milliseconds.
    fileprivate var text: String { "\(name);dur=\(milliseconds.roundedToTenths)" }
}

extension HTTPField.Name {
    static let host = HTTPField.Name(validated: "host")
    static let prefer = HTTPField.Name(validated: "prefer")
    static let preferenceApplied = HTTPField.Name(validated: "preference-applied")
    static let idempotencyKey = HTTPField.Name(validated: "idempotency-key")
    static let requestTimeout = HTTPField.Name(validated: "request-timeout")
    static let traceParent = HTTPField.Name(validated: "traceparent")
    static let lastEventID = HTTPField.Name(validated: "last-event-id")
    static let serverTiming = HTTPField.Name(validated: "server-timing")
    static let slack = HTTPField.Name(validated: "appgroupd-slack")
    static let replayed = HTTPField.Name(validated: "idempotency-replayed")
    static let requestID = HTTPField.Name(validated: "x-request-id")
    /// Whether nginx collects the response in a buffer before it passes the response on.
    static let buffering = HTTPField.Name(validated: "x-accel-buffering")
    static let rateLimit = HTTPField.Name(validated: "ratelimit")
    static let rateLimitPolicy = HTTPField.Name(validated: "ratelimit-policy")
    /// The path of the file that nginx sends in place of the body.
    static let accelRedirect = HTTPField.Name(validated: "x-accel-redirect")
    static let forwarded = HTTPField.Name(validated: "forwarded")
    static let forwardedFor = HTTPField.Name(validated: "x-forwarded-for")

    /// Creates the name of a header field.
    ///
    /// - Parameter name: A token (RFC 9110 §5.6.2). Any other text is a mistake in this file. The field is then named
    ///   `connection`.
    private init(validated name: String) { self = HTTPField.Name(name) ?? .connection }
}
