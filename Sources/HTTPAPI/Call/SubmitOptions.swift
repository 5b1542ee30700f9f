import HTTPTypes
import NotificationModel

/// What the head of a submission says about it.
struct SubmitOptions: Sendable, Equatable {
    var group: AppGroupName?
    /// `Idempotency-Key`.
    var id: RequestID?
    /// `Request-Timeout`.
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
            guard let budget = Self.seconds(text), budget <= TimeBudget.longest else {
                throw .header("Request-Timeout", "must be seconds, as 5 or 2.5, and at most an hour.")
            }
            self.budget = budget
        }
        preferences = Preferences(fields: head.headerFields[values: .prefer])
    }

    /// Who asks to go on without the result, or can ask for it again by its key, need not stay.
    var origin: RequestOrigin { id != nil || preferences.takesLater ? .detached : .call }

    /// A structured field's string (RFC 8941 §3.3.3), which the draft for this header wants; or the key as it is.
    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast())
    }

    private static func seconds(_ text: String) -> Duration? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard areDigits, parts.count <= 2, let seconds = Double(text), seconds <= 1e6 else { return nil }
        return .seconds(seconds)
    }
}
