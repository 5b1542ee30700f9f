import NotificationModel
import NotificationProcessor

/// Comapi.
enum ComapiRules {
    static let all = [partType, eventName]

    private static let eventName = LintRule(
        "comapi-event-name", .warning, "The name of an event is none of the vendor's: it is not recognised as one.",
        source: "\"Available events\" in the vendor's iOS guide."
    ) { subject in
        let node = subject.payload["name"]
        guard let name = node.text, subject.payload["payload"].object != nil, ComapiEvent.isEvent(subject.payload),
            !ComapiEvent.names.contains(name), let guess = KeyGuess.nearest(to: name, among: ComapiEvent.names)
        else { return [] }
        return [
            LintFlaw(
                node, "\(ShownText.quoted(name)) is no event; did you mean \(guess)?", fix: "Write \(guess)")
        ]
    }

    private static let partType = LintRule(
        "comapi-part-type", .error, "A part of the message has no type.",
        source: "The vendor's message format: each part has a `type`, a MIME type."
    ) { subject in
        guard subject.isRead(as: "comapi") else { return [] }
        let places = [subject.payload["parts"], subject.payload["payload"]["parts"]]
        return places.flatMap(\.elements).filter { $0.object != nil && $0["type"].text == nil }.map { part in
            LintFlaw(part, "the part has no type", fix: "Add \"type\": \"text/plain\", or the file's MIME type")
        }
    }
}
