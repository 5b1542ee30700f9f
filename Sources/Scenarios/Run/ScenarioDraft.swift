import JSON
import MediaTypes
import NotificationModel
import WebURL

/// A first scenario for a payload. It lists the requests of a run in which the origin answers every request, and expects
/// the result of that run.
package struct ScenarioDraft {
    private let payload: String
    private let trial: Scenario

    /// - Parameter payload: The path of the file with the payload.
    package init(payload: String) throws(ScenarioProblems) {
        self.payload = payload
        let text = "payload: \(Self.quoted(payload))\norigin: {\"/*\": ok}\nexpect: {outcome: rich}\n"
        trial = try ScenarioReader.scenario(text, file: "new")
    }

    /// Plays the payload, and returns the text of the scenario.
    package func text() async throws(LaboratoryFailure) -> String {
        let run = try await ScenarioRunner(seed: 0).run(trial)
        guard let notification = run.notifications.first else { throw LaboratoryFailure("the payload has no result") }
        var lines = [
            "name: \(Self.quoted(Self.name(of: payload)))", "payload: \(Self.quoted(payload))",
        ]
        let requests = run.requests.sorted()
        if requests.isEmpty {
            lines.append("origin: {}")
        } else {
            lines.append("origin:")
            lines += requests.map { "  \(Self.quoted($0)): ok  # or a fault, such as {stall: {after: 1000}}" }
        }
        lines += ["budget: 5s", "expect:", "  outcome: \(notification.outcome.rawValue)"]
        if let reason = notification.reason { lines.append("  reason: \(reason.rawValue)") }
        for (key, text) in [
            ("title", notification.text.title), ("subtitle", notification.text.subtitle),
            ("body", notification.text.body),
        ] {
            if let text { lines.append("  \(key): \(Self.quoted(text))") }
        }
        if notification.attachments.isEmpty {
            lines.append("  attachments: 0")
        } else {
            lines.append("  attachments:")
            lines += notification.attachments.map { attachment in
                "    - {identifier: \(Self.quoted(attachment.identifier)), type: \(attachment.asset.info.type.mimeType)}"
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return String(file.prefix { $0 != "." })
    }

    /// Returns a text in the quotes of JSON, which YAML understands as well. A plain word needs no quotes.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.first?.isLetter == true
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_./".utf8.contains($0) }
            && !["true", "false", "null", "yes", "no", "on", "off"].contains(text.lowercased())
        return isPlain
            || text.hasPrefix("/") && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_./".utf8.contains($0) }
            ? text : JSONWriter.text(of: .string(text))
    }
}
