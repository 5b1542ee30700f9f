package import Base
package import HTTPTypes
package import HummingbirdCore
import NIOCore
package import NotificationModel

extension Response {
    package static func json(
        _ value: JSONValue, status: HTTPResponse.Status = .ok, type: String = "application/json"
    ) -> Response {
        bytes(JSONWriter.bytes(of: value), status: status, type: type)
    }

    package static func text(
        _ text: String, status: HTTPResponse.Status = .ok, type: String = "text/plain; charset=utf-8"
    ) -> Response {
        bytes(Array(text.utf8), status: status, type: type)
    }

    package static func content(_ content: EmittedContent) -> Response {
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
    package static var noContent: Response {
        var response = Response(status: .noContent)
        response.headers[.contentLength] = nil
        return response
    }

    package static func bytes(_ bytes: [UInt8], status: HTTPResponse.Status, type: String) -> Response {
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
    package static let host = HTTPField.Name(validated: "host")
    package static let fetchSite = HTTPField.Name(validated: "sec-fetch-site")
    package static let prefer = HTTPField.Name(validated: "prefer")
    package static let preferenceApplied = HTTPField.Name(validated: "preference-applied")
    package static let idempotencyKey = HTTPField.Name(validated: "idempotency-key")
    package static let requestTimeout = HTTPField.Name(validated: "request-timeout")
    package static let traceParent = HTTPField.Name(validated: "traceparent")
    package static let lastEventID = HTTPField.Name(validated: "last-event-id")
    package static let serverTiming = HTTPField.Name(validated: "server-timing")
    package static let slack = HTTPField.Name(validated: "appgroupd-slack")
    package static let replayed = HTTPField.Name(validated: "idempotency-replayed")
    package static let requestID = HTTPField.Name(validated: "x-request-id")
    /// Whether nginx collects the response in a buffer before it passes the response on.
    package static let buffering = HTTPField.Name(validated: "x-accel-buffering")
    package static let rateLimit = HTTPField.Name(validated: "ratelimit")
    package static let rateLimitPolicy = HTTPField.Name(validated: "ratelimit-policy")
    /// The path of the file that nginx sends in place of the body.
    package static let accelRedirect = HTTPField.Name(validated: "x-accel-redirect")
    package static let forwarded = HTTPField.Name(validated: "forwarded")
    package static let forwardedFor = HTTPField.Name(validated: "x-forwarded-for")

    /// Creates the name of a header field.
    ///
    /// - Parameter name: A token (RFC 9110 §5.6.2). Any other text is a mistake in this file. The field is then named
    ///   `connection`.
    private init(validated name: String) { self = HTTPField.Name(name) ?? .connection }
}
