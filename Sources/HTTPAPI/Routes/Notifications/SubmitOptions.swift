import HTTPTypes
import NotificationModel

/// The options of a submission, from the target and the header fields of its HTTP request.
struct SubmitOptions: Sendable, Equatable {
    /// The group of the request; `nil` if the target has no group.
    var group: AppGroupName?
    /// The groups that the caller may use.
    var permittedGroups = GroupPermission.all
    /// The value of `Idempotency-Key`; `nil` if the request has no such field.
    var id: RequestID?
    /// The value of `Request-Timeout`, at most an hour; `nil` if the request has no such field.
    var budget: Duration?
    var preferences = Preferences()

    init(_ head: HTTPRequest, group: AppGroupName?) throws(Problem) {
        self.group = group
        if let text = head.headerFields[.idempotencyKey] {
            guard let id = RequestID(Self.unquoted(text)) else {
                throw .header(
                    "Idempotency-Key", "must be 1 to 128 letters, digits and ._-:@+=, not beginning with a dot.")
            }
            self.id = id
        }
        if let text = head.headerFields[.requestTimeout] {
            guard let budget = DecimalSeconds.parse(text), budget <= TimeBudget.longest else {
                throw .header("Request-Timeout", "must be a number of seconds, such as 5 or 2.5, and at most an hour.")
            }
            self.budget = budget
        }
        preferences = Preferences(fields: head.headerFields[values: .prefer])
    }

    /// The origin of the request. `call` cancels the request when its caller disconnects. A caller that accepts the
    /// result later, or that can ask for it again with its key, may disconnect without cancelling it.
    var channel: RequestChannel { id != nil || preferences.takesLater ? .detached : .call }

    /// Returns a key without its quotes. The draft for this field requires a quoted string (RFC 8941 §3.3.3), and a key
    /// without quotes is accepted too.
    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast())
    }
}

extension TraceParent {
    /// Reads the header field `traceparent`; `nil` if it is missing. A value that is not valid, or that occurs twice, is
    /// ignored (W3C Trace Context, §4.3), because a tracer may send it without the caller's knowledge.
    init?(_ head: HTTPRequest) {
        // Several values are joined with commas, and are then too long.
        guard let value = head.headerFields[.traceParent] else { return nil }
        self.init(value)
    }
}
