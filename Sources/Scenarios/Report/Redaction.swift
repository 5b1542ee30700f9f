import JSON
import NotificationModel
import WebURL

/// The replacement of secrets in reports, as they are, percent-encoded, or in JSON.
package struct Redaction: Sendable {
    private let secrets: [String]

    /// - Parameter secrets: The secrets. Empty ones are ignored.
    package init(_ secrets: [String]) {
        let forms = secrets.filter { !$0.isEmpty }.flatMap { secret in
            [
                secret, PercentEncoding.text(of: secret),
                String(JSONWriter.text(of: .string(secret)).dropFirst().dropLast()),
            ]
        }
        // A secret that contains another one is replaced first.
        self.secrets = Set(forms).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    package func callAsFunction(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "***") }
    }
}
