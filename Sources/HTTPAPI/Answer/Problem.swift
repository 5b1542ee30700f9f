import HTTPTypes
import HummingbirdCore
import JSON
import NIOCore
import NotificationModel

/// An error of a request or of the daemon, in the form of RFC 9457.
struct Problem: Error, Sendable, Equatable {
    /// The kinds of problem. The raw value is the last part of the problem's `type`, and scripts compare it.
    enum Kind: String, Sendable, CaseIterable {
        case badRequest = "bad-request"
        case notJSON = "not-json"
        case unusable = "unusable-envelope"
        case unauthenticated = "unauthenticated"
        case forbidden = "forbidden"
        case notFound = "not-found"
        case wrongMethod = "wrong-method"
        case alreadyEmitted = "already-emitted"
        case tooLarge = "too-large"
        case wrongHost = "wrong-host"
        case idInUse = "id-in-use"
        case limited = "rate-limited"
        case full = "full"
        case starting = "starting"
        case closing = "closing"
        case storageFailed = "storage-failed"
        case oldHTTP = "old-http"
        case `internal` = "internal"

        var status: HTTPResponse.Status {
            switch self {
            case .badRequest, .notJSON, .unusable: .badRequest
            case .unauthenticated: .unauthorized
            case .forbidden: .forbidden
            case .notFound: .notFound
            case .wrongMethod: .methodNotAllowed
            case .alreadyEmitted: .conflict
            case .tooLarge: .contentTooLarge
            case .wrongHost: .misdirectedRequest
            case .idInUse: .unprocessableContent
            case .limited: .tooManyRequests
            case .full, .starting, .closing, .storageFailed: .serviceUnavailable
            case .oldHTTP: HTTPResponse.Status(code: 505, reasonPhrase: "HTTP Version Not Supported")
            case .internal: .internalServerError
            }
        }

        /// Whether calls with this problem count as refused calls of their connection, and are summed up in the log.
        var isRefusal: Bool {
            switch self {
            case .unauthenticated, .forbidden, .notFound, .limited: true
            default: false
            }
        }

        /// The title of the kind, which is the same for each of its problems (RFC 9457 §3.1.3).
        var title: String {
            switch self {
            case .badRequest: "The request is malformed"
            case .notJSON: "The body is not a JSON object"
            case .unusable: "The envelope cannot be used"
            case .unauthenticated: "The caller is not authenticated"
            case .forbidden: "The caller is not permitted"
            case .notFound: "The resource does not exist"
            case .wrongMethod: "The method is not permitted for this path"
            case .alreadyEmitted: "The request has been emitted already"
            case .tooLarge: "The body is too large"
            case .wrongHost: "Host is not a name of this server"
            case .idInUse: "Another request has this id"
            case .limited: "The token permits no further calls now"
            case .full: "The daemon has no room for this call"
            case .starting: "The daemon is starting"
            case .closing: "The daemon is ending"
            case .storageFailed: "The disk or the journal failed"
            case .oldHTTP: "HTTP/1.1 is needed"
            case .internal: "The daemon failed"
            }
        }
    }

    var kind: Kind
    /// A sentence for the caller. The sentence contains no internal details, because a stranger may read it.
    var detail: String
    /// The extension members of the problem (RFC 9457 §3.2).
    var members: JSONObject
    var headers: HTTPFields

    init(_ kind: Kind, _ detail: String, members: JSONObject = [:], headers: HTTPFields = [:]) {
        self.kind = kind
        self.detail = detail
        self.members = members
        self.headers = headers
    }

    /// Creates the problem of a header field whose value cannot be read.
    static func header(_ name: String, _ problem: String) -> Problem {
        Problem(.badRequest, "\(name) \(problem)", members: ["header": .string(name)])
    }

    /// Creates the problem of an id that no request of the group has, or that the caller may not know.
    static func unknown(_ key: RequestKey) -> Problem {
        Problem(.notFound, "There is no request '\(key.id)' in group '\(key.group)'.", members: key.members)
    }

    static func parameter(_ name: String, _ problem: String) -> Problem {
        Problem(.badRequest, "\(name) \(problem)", members: ["parameter": .string(name)])
    }

    var json: JSONValue {
        var object: JSONObject = [
            "type": .string("urn:appgroupd:problem:\(kind.rawValue)"), "title": .string(kind.title),
            "status": .number(JSONNumber(kind.status.code)), "detail": .string(detail),
        ]
        for member in members.members { object.append(member.key, member.value) }
        return .object(object)
    }

    var response: Response {
        var response = Response.json(json, status: kind.status, type: "application/problem+json")
        response.headers.append(contentsOf: headers)
        return response
    }
}
