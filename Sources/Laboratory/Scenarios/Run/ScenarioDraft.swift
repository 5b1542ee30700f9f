import Base
import Features
import NotificationModel

/// A first scenario for a payload. It lists the requests of a run in which the origin answers every request, and expects
/// the result of that run.
package struct ScenarioDraft {
    private let payload: String
    private let trial: Scenario

    /// - Parameter payload: The path of the file with the payload.
    package init(payload: String) throws(ScenarioProblems) {
        self.payload = payload
        let text = "payload: \(ScenarioValue.quoted(payload))\norigin: {\"/*\": ok}\nexpect: {outcome: rich}\n"
        trial = try ScenarioReader.scenario(text, file: "new")
    }

    /// Plays the payload, and returns the text of the scenario.
    package func text() async throws(LaboratoryFailure) -> String { try await document().text }

    private func document() async throws(LaboratoryFailure) -> ScenarioDocument {
        let run = try await ScenarioRunner(seed: 0).run(trial)
        guard let notification = run.notifications.first else { throw LaboratoryFailure("the payload has no result") }
        var document = ScenarioDocument()
        document.add("name", Self.name(of: payload))
        document.add("payload", payload)
        let requests = run.requests.sorted().map { request in
            ScenarioMember(request, .text("ok"), remark: "or a fault, such as {stall: {after: 1000}}")
        }
        document.add("origin", .map(requests))
        document.add("budget", "5s")
        var expected = [ScenarioMember("outcome", .text(notification.outcome.rawValue))]
        for (key, text) in [
            ("reason", notification.reason?.rawValue), ("title", notification.text.title),
            ("subtitle", notification.text.subtitle), ("body", notification.text.body),
        ] {
            if let text { expected.append(ScenarioMember(key, .text(text))) }
        }
        let attachments = notification.attachments.map { attachment in
            ScenarioValue.mapping(
                ("identifier", .text(attachment.identifier)), ("type", .text(attachment.asset.info.type.mimeType)))
        }
        expected.append(ScenarioMember("attachments", attachments.isEmpty ? .text("0") : .list(attachments)))
        document.add("expect", .map(expected))
        return document
    }

    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return String(file.prefix { $0 != "." })
    }
}
