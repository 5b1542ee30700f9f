import Base
import NotificationModel

/// The replacement of secrets in reports, as they are, percent-encoded, in JSON, or in markup.
package struct Redaction: Sendable {
    private let secrets: [String]

    /// - Parameter secrets: The secrets. Empty ones are ignored.
    package init(_ secrets: [String]) {
        let forms = secrets.filter { !$0.isEmpty }.flatMap { secret in
            let texts = [
                secret, PercentEncoding.text(of: secret), Self.inJSON(secret), Self.inJSON(Self.inJSON(secret)),
            ]
            return texts + texts.map(MarkupText.escaped)
        }
        // A secret that contains another one is replaced first.
        self.secrets = Set(forms).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// Returns a text as it is between the quotes of JSON.
    private static func inJSON(_ text: String) -> String {
        String(JSONWriter.text(of: .string(text)).dropFirst().dropLast())
    }

    package func callAsFunction(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: "***") }
    }
}
