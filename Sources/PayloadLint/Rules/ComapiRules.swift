import NotificationModel

/// Comapi.
enum ComapiRules {
    static let all = [partType]

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
