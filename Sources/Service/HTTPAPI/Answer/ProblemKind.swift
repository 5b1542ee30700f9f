package import HTTPTypes

extension Problem {
    /// The kinds of problem. The raw value is the last part of the problem's `type`, and scripts compare it.
    package enum Kind: String, Sendable, CaseIterable {
        case badRequest = "bad-request"
        case notJSON = "not-json"
        case unusable = "unusable-envelope"
        case unusableRecipient = "unusable-receiver"
        case unauthenticated
        case forbidden
        case notFound = "not-found"
        case wrongMethod = "wrong-method"
        case alreadyEmitted = "already-emitted"
        case nameInUse = "name-in-use"
        case otherVersion = "precondition-failed"
        case tooLarge = "too-large"
        case encoded = "unsupported-encoding"
        case noSuchRange = "range-not-satisfiable"
        case wrongHost = "wrong-host"
        case idInUse = "id-in-use"
        case limited = "rate-limited"
        case `internal`
        case full
        case starting
        case closing
        case storageFailed = "storage-failed"
        case oldHTTP = "old-http"

        /// The facts about a kind.
        private struct Facts {
            let status: HTTPResponse.Status
            /// The title, which is the same for each problem of the kind (RFC 9457 §3.1.3).
            let title: String
            /// The possible causes, in Markdown.
            let cause: String
            /// The remedy for the caller, in Markdown.
            let remedy: String
        }

        /// The path of the page about the kind, which is the problem's `type`. The daemon serves the page.
        package var page: String { "/problems/\(rawValue)" }

        package var status: HTTPResponse.Status { facts.status }
        package var title: String { facts.title }

        /// The page about the kind, in Markdown.
        package var text: String {
            "## \(rawValue)\n\n\(facts.title) (status \(status.code)).\n\n\(facts.cause)\n\n**Remedy:** \(facts.remedy)\n"
        }

        /// Whether calls with this problem count as refused calls of their connection, and are summed up in the log.
        package var isRefusal: Bool {
            switch self {
            case .unauthenticated, .forbidden, .notFound, .limited: true
            default: false
            }
        }

        private var facts: Facts {
            switch self {
            case .badRequest:
                Facts(
                    status: .badRequest, title: "The request is malformed",
                    cause:
                        "A header field, a query parameter, an id or the target of the request is malformed. The member `header` or `parameter` names it.",
                    remedy:
                        "Correct the request. The same request fails again.")
            case .notJSON:
                Facts(
                    status: .badRequest, title: "The body is not a JSON object",
                    cause:
                        "The body is not one JSON object in UTF-8.",
                    remedy:
                        "Send one payload or envelope in each request, or the lines of a batch to `POST /v1/notifications:batch`."
                )
            case .unusable:
                Facts(
                    status: .badRequest, title: "The envelope cannot be used",
                    cause:
                        "A value of the envelope is wrong, or the daemon does not serve the app group of the envelope. The member `key` names the key.",
                    remedy:
                        "Correct the envelope. `appgroupd lint` checks it before it is sent.")
            case .unusableRecipient:
                Facts(
                    status: .badRequest, title: "The document of the receiver cannot be used",
                    cause:
                        "A member of the document or of the patch is wrong or unknown. The member `key` names it.",
                    remedy:
                        "Correct the document. docs/use/recipients.md lists its members.")
            case .unauthenticated:
                Facts(
                    status: .unauthorized, title: "The caller is not authenticated",
                    cause:
                        "The call has no token, or its token is unknown, expired or malformed. `WWW-Authenticate` says which.",
                    remedy:
                        "Send `Authorization: Bearer TOKEN` with a valid token.")
            case .forbidden:
                Facts(
                    status: .forbidden, title: "The caller is not permitted",
                    cause:
                        "The token does not permit this call or this app group, the call comes from a web page of another origin or from another user of the machine, or the URL of a rendition or a receipt has no valid signature. The member `scope`, `parameter`, `key`, `header` or `refusal` says which.",
                    remedy:
                        "Use a token with the named scope and group, or the whole URL from `publicURL` or `receiptURLs` of a result."
                )
            case .notFound:
                Facts(
                    status: .notFound, title: "The resource does not exist",
                    cause:
                        "The path does not exist, and `detail` names the nearest path, or no request, batch, receiver, message or rendition has this name. Results are kept for `results.retention`, renditions for `media.retention`, and messages until they end.",
                    remedy:
                        "Correct the path or the id. Give the app group by `?group=`.")
            case .wrongMethod:
                Facts(
                    status: .methodNotAllowed, title: "The method is not permitted for this path",
                    cause:
                        "The path does not support the method.",
                    remedy:
                        "Use a method that the header field `Allow` lists.")
            case .alreadyEmitted:
                Facts(
                    status: .conflict, title: "The request has been emitted already",
                    cause:
                        "The request cannot be cancelled, because it has a result with another outcome than `cancelled`.",
                    remedy:
                        "Read the result by `GET /v1/notifications/ID`.")
            case .nameInUse:
                Facts(
                    status: .conflict, title: "Another receiver has this name",
                    cause:
                        "A name of the document belongs to another receiver of the group. The member `name` is the name, and `owner` is the id of the other receiver.",
                    remedy:
                        "Remove the name from the other receiver, or delete the other receiver. Take over its permissions first, because it may have opted out."
                )
            case .otherVersion:
                Facts(
                    status: .preconditionFailed, title: "The resource has another version",
                    cause:
                        "`If-Match` or `If-None-Match` names another version than the one that the receiver, the message or the file has. A rendition never changes, and its `ETag` is its SHA-256. The member `version` is the version of a receiver or of a message.",
                    remedy:
                        "For a receiver or a message, read it again and repeat the change. For a file, leave out `If-Match`, or download the file again from its beginning."
                )
            case .tooLarge:
                Facts(
                    status: .contentTooLarge, title: "The body is too large",
                    cause:
                        "The body is too large, or its values take too much memory. The member `most` is the largest permitted size in bytes.",
                    remedy:
                        "Send a smaller body, put media at a URL instead of into the payload, or raise `requests.bodyBytes`."
                )
            case .encoded:
                Facts(
                    status: .unsupportedMediaType, title: "The body is compressed",
                    cause:
                        "The body is compressed, by its first bytes or by `Content-Encoding`. The member `encoding` names the compression.",
                    remedy:
                        "Send the body without compression, as `Accept-Encoding: identity` in the response says.")
            case .noSuchRange:
                Facts(
                    status: .rangeNotSatisfiable, title: "The file has no such range",
                    cause:
                        "The range begins after the end of the file. `Content-Range` has the size of the file.",
                    remedy:
                        "Ask for bytes within the file.")
            case .wrongHost:
                Facts(
                    status: .misdirectedRequest, title: "Host is not a name of this server",
                    cause:
                        "`Host`, or the host of an absolute target, is not a permitted name of this server. On loopback without tokens, only the names of loopback are permitted, so that web pages cannot call the daemon.",
                    remedy:
                        "Use `localhost`, `127.0.0.1` or `[::1]`. A proxy must set `Host` to one of these.")
            case .idInUse:
                Facts(
                    status: .unprocessableContent, title: "Another request has this id",
                    cause:
                        "Another request with a different body has the same id.",
                    remedy:
                        "Use a new id for a new message. To repeat a request, send the same bytes.")
            case .limited:
                Facts(
                    status: .tooManyRequests, title: "The token permits no further calls now",
                    cause:
                        "The token permits a number of calls a second, or a number of unfinished calls and requests.",
                    remedy:
                        "Wait for the time in `Retry-After`, and send fewer calls at a time. `RateLimit` shows what is left."
                )
            case .internal:
                Facts(
                    status: .internalServerError, title: "The daemon failed",
                    cause:
                        "The result of the request is missing.",
                    remedy:
                        "Report this as a bug, with the lines of the log that have the `X-Request-Id` of the response.")
            case .full:
                Facts(
                    status: .serviceUnavailable, title: "The daemon has no room for this call",
                    cause:
                        "Too many requests, event streams or batches are unfinished, too many messages are stored, or large bodies need too much memory. Nothing of the call was taken.",
                    remedy:
                        "Send the same call again after the time in `Retry-After`, to another daemon if there is one. If this lasts, see `requests.inFlight` and `requests.queued`."
                )
            case .starting:
                Facts(
                    status: .serviceUnavailable, title: "The daemon is starting",
                    cause:
                        "The daemon is restoring the requests of an earlier run.",
                    remedy:
                        "Send the same call again after the time in `Retry-After`. `/readyz` tells when the daemon is ready."
                )
            case .closing:
                Facts(
                    status: .serviceUnavailable, title: "The daemon is ending",
                    cause:
                        "The daemon emits the accepted requests, and accepts no further ones.",
                    remedy:
                        "Send the same call again after the time in `Retry-After`. Requests can still be looked up and cancelled."
                )
            case .storageFailed:
                Facts(
                    status: .serviceUnavailable, title: "The disk or the journal failed",
                    cause:
                        "The journal cannot be written, so the request was not accepted, or a file could not be removed.",
                    remedy:
                        "Send the same call again later. The log of the daemon names the error of the disk.")
            case .oldHTTP:
                Facts(
                    status: HTTPResponse.Status(code: 505, reasonPhrase: "HTTP Version Not Supported"),
                    title: "HTTP/1.1 is needed",
                    cause:
                        "A stream was requested with HTTP/1.0, which has no chunks.",
                    remedy:
                        "Use HTTP/1.1. For nginx, set `proxy_http_version 1.1`.")
            }
        }
    }
}

/// The text of `docs/use/problems.md`, which follows from the table of problems.
package enum ProblemReference {
    package static var text: String {
        """
        # Problems of the HTTP API

        The body of an error response is a problem by RFC 9457. Its `type` is the path of one of these pages, such as
        `/problems/too-large`, and the daemon serves the page under this path. Programs compare `type`. `detail` is a
        sentence about the single case, for people.

        Every response with status 503 or 429 has the header field `Retry-After`.

        """ + Problem.Kind.allCases.map { "\n" + $0.text }.joined()
    }
}
