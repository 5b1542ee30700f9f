package import Authentication
package import Base
package import HTTPTypes
package import HummingbirdCore
import NIOCore
package import NotificationModel

/// An error of a request or of the daemon, in the form of RFC 9457.
package struct Problem: Error, Sendable, Equatable {
    package var kind: Kind
    /// A sentence for the caller. The sentence contains no internal details, because a stranger may read it.
    package var detail: String
    /// The extension members of the problem (RFC 9457 §3.2).
    package var members: JSONObject
    package var headers: HTTPFields

    package init(_ kind: Kind, _ detail: String, members: JSONObject = [:], headers: HTTPFields = [:]) {
        self.kind = kind
        self.detail = detail
        self.members = members
        self.headers = headers
    }

    /// Creates the problem of a header field whose value cannot be read.
    package static func header(_ name: String, _ problem: String) -> Problem {
        Problem(.badRequest, "\(name) \(problem)", members: ["header": .string(name)])
    }

    /// Creates the problem of an id that no request of the group has, or that the caller may not know.
    package static func unknown(_ key: RequestKey) -> Problem {
        Problem(.notFound, "There is no request '\(key.id)' in group '\(key.group)'.", members: key.members)
    }

    package static func parameter(_ name: String, _ problem: String) -> Problem {
        Problem(.badRequest, "\(name) \(problem)", members: ["parameter": .string(name)])
    }

    /// Creates the problem of a compressed body. Its `Accept-Encoding` names the only accepted encoding (RFC 9110
    /// §15.5.16).
    package static func encoded(_ encoding: String) -> Problem {
        Problem(
            .encoded,
            "The body is compressed with \(VisibleText.short(encoding, most: 32)): send it without compression.",
            members: ["encoding": .string(encoding)], headers: [.acceptEncoding: "identity"])
    }

    package var json: JSONValue {
        var object: JSONObject = [
            "type": .string(kind.page), "title": .string(kind.title),
            "status": .number(JSONNumber(kind.status.code)), "detail": .string(detail),
        ]
        for member in members.members { object.append(member.key, member.value) }
        return .object(object)
    }

    package var response: Response {
        var response = Response.json(json, status: kind.status, type: "application/problem+json")
        response.headers.append(contentsOf: headers)
        return response
    }
}

extension Problem {
    /// The refusal of a signed URL.
    ///
    /// - Parameter member: The member of a result that has the URL.
    package static func refused(_ refusal: URLRefusal, from member: String) -> Problem {
        let sentence =
            switch refusal {
            case .unsigned: "The URL needs a signature: take the whole URL from \(member) of a result."
            case .forged: "The signature does not belong to this URL: take the whole URL from \(member) of a result."
            case .expired: "The URL has expired."
            }
        return Problem(.forbidden, sentence, members: ["refusal": .string("\(refusal)")])
    }
}
