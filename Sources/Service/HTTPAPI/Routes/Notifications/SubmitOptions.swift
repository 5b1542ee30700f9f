import Authentication
import Base
package import HTTPTypes
package import NotificationModel

/// The options of a submission, from the target and the header fields of its HTTP request.
package struct SubmitOptions: Sendable, Equatable {
    /// The group of the request; `nil` if the target has no group.
    package let group: AppGroupName?
    /// The groups that the caller may use.
    package let permittedGroups: GroupPermission
    /// Whether the caller may report receipts.
    package let mayReportReceipts: Bool
    /// The value of `Idempotency-Key`; `nil` if the request has no such field.
    package let id: RequestID?
    /// The value of `Request-Timeout`, at most an hour; `nil` if the request has no such field.
    package let budget: Duration?
    package let preferences: Preferences

    package init(_ arguments: RouteArguments) throws(Problem) {
        group = try arguments[.group]
        permittedGroups = arguments.caller.groups
        mayReportReceipts = arguments.caller.scopes.contains(.receipts)
        id = try arguments[Self.idempotencyKey]
        budget = try arguments[Self.requestTimeout]
        preferences = try arguments[Self.prefer]
    }

    /// The origin of the request. `call` cancels the request when its caller disconnects. A caller that accepts the
    /// result later, or that can ask for it again with its key, may disconnect without cancelling it.
    package var channel: RequestChannel { id != nil || preferences.takesLater ? .detached : .call }
}

extension SubmitOptions {
    package static let idempotencyKey = Parameter<RequestID?>(
        "Idempotency-Key", in: .header(.idempotencyKey), "The id of the request.",
        .pattern("^\"?[A-Za-z0-9_\\-:@+=][A-Za-z0-9._\\-:@+=]{0,127}\"?$"),
        "must be 1 to 128 letters, digits and ._-:@+=, not beginning with a dot."
    ) { text in
        // The draft for this field requires a quoted string (RFC 8941 §3.3.3), and a key without quotes is accepted too.
        let isQuoted = text.utf8.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        return RequestID(isQuoted ? String(text.dropFirst().dropLast()) : text)
    }
    package static let requestTimeout = Parameter<Duration?>(
        "Request-Timeout", in: .header(.requestTimeout), "The budget in seconds, at most 3600.",
        ["type": "number", "minimum": 0, "maximum": 3600],
        "must be a number of seconds, such as 5 or 2.5, and at most an hour."
    ) { text in DecimalSeconds.parse(text).flatMap { $0 <= TimeBudget.maximum ? $0 : nil } }
    /// The preferences in all fields.
    package static let prefer = Parameter<Preferences>(
        "Prefer", in: .header(.prefer),
        "`respond-async` or `wait=SECONDS`: the response comes before the result (RFC 7240).",
        .examples("respond-async", "wait=0.5")
    ) { _, arguments in Preferences(fields: arguments.head.headerFields[values: .prefer]) }
}

extension TraceParent {
    /// Reads the header field `traceparent`; `nil` if it is missing. A value that is not valid, or that occurs twice, is
    /// ignored (W3C Trace Context, §4.3), because a tracer may send it without the caller's knowledge.
    package init?(_ head: HTTPRequest) {
        // Several values are joined with commas, and are then too long.
        guard let value = head.headerFields[.traceParent] else { return nil }
        self.init(value)
    }
}
