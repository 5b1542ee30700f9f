package import Base

/// The template of a campaign: an envelope that each recipient completes. It is parsed once.
///
/// The first line of a campaign is `{"template": ENVELOPE}`. A recipient is `{"id", "recipient", "labels", "locale",
/// "profile", "traceparent", "payload"}`; each key but `id` may be missing. `payload` is a merge patch (RFC 7396) for the
/// payload of the template.
package struct BatchTemplate: Sendable {
    private static let recipientKeys = ["id", "recipient", "labels", "locale", "profile", "traceparent", "payload"]

    let envelope: JSONObject
    private let payload: JSONObject

    /// Returns whether a first line begins a campaign.
    package static func isTemplate(_ line: JSONObject) -> Bool { line.keys == ["template"] }

    /// - Throws: The error of a template that is no envelope, or has the id of one recipient.
    package init(line: JSONObject) throws(BatchLineError) {
        guard let envelope = line["template"]?.object, let payload = envelope["payload"]?.object else {
            throw .unusable(
                EnvelopeError(key: "template", problem: "must be an envelope, which is an object with `payload`"))
        }
        guard envelope["id"] == nil else {
            throw .unusable(EnvelopeError(key: "template.id", problem: "belongs into the line of each recipient"))
        }
        self.envelope = envelope
        self.payload = payload
    }

    /// Reads a template of the journal again.
    package init(_ template: SharedTemplate) throws(BatchLineError) {
        let line: JSONValue
        do throws(JSONSyntaxError) { line = try JSONParser.value(of: template.bytes) } catch { throw .notJSON(error) }
        try self.init(line: line.object ?? JSONObject())
    }

    /// Returns the envelope of a recipient.
    ///
    /// - Throws: The error of a key that a recipient cannot have.
    package func envelope(of recipient: JSONObject) throws(BatchLineError) -> JSONObject {
        guard recipient["id"] != nil else {
            throw .unusable(EnvelopeError(key: "id", problem: "is missing: each recipient of a template needs an id"))
        }
        var completed = envelope
        for member in recipient.members {
            switch member.key {
            case "payload":
                guard let patch = member.value.object else {
                    throw .unusable(
                        EnvelopeError(key: "payload", problem: "is \(member.value.typeName), not a merge patch"))
                }
                completed.set("payload", .object(payload.merging(patch)))
            case let key where Self.recipientKeys.contains(key): completed.set(key, member.value)
            case let key:
                throw .unusable(
                    EnvelopeError(
                        key: VisibleText.short(key, most: 64),
                        problem: "is not a key of a recipient: put it into the template, or into payload"))
            }
        }
        return completed
    }
}

/// The reason why a line of a batch has no request.
package enum BatchLineError: Error, Sendable {
    /// The line has more than this number of bytes.
    case tooLong(most: Int)
    /// The batch has more than this number of lines, and this one and the later ones are not read.
    case tooMany(most: Int)
    /// The body has more than this number of bytes, and the rest is not read.
    case bodyTooLarge(most: Int)
    /// The values of the line take too much memory.
    case tooComplex
    case notJSON(JSONSyntaxError)
    /// The line is another type of JSON value, by its name.
    case notObject(String)
    /// A key of the template, or of a recipient, cannot be used.
    case unusable(EnvelopeError)
    case refused(Admission)
}
