import JSON
import NotificationModel

/// The rules for payloads of Comapi.
enum ComapiRules {
    static let all = [partType, eventName, textMissing]

    private static let textMissing = LintRule.found(
        "comapi-text-missing", .warning, "A message has neither an alert nor a text, so the notification is empty.",
        source: "See docs/use/dialects.md, `comapi`.")

    private static let eventName = LintRule.found(
        "comapi-event-name", .warning,
        "The name of an event is probably misspelt. appgroupd reads the event under the correct name, but the app does not know the misspelt name.",
        source: "Source: \"Available events\" in the vendor's iOS guide.")

    private static let partType = LintRule(
        "comapi-part-type", .error, "A part of the message has no `type`.",
        source: "In the vendor's message format, each part has its MIME type in `type`."
    ) { subject in
        guard subject.isRead(as: "comapi") else { return [] }
        let places = [subject.payload["parts"], subject.payload["payload"]["parts"]]
        return places.flatMap(\.elements).filter { $0.object != nil && $0["type"].text == nil }.map { part in
            LintFlaw(part, "the part has no type", fix: "Add \"type\": \"text/plain\", or the MIME type of the file")
        }
    }
}
