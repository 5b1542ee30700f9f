import Base
import NotificationModel

/// A push of a known provider below another key of the payload. Services between a provider and the phone put a push into
/// `data` or `custom`, or into a part of a message of Amazon SNS.
struct InnerPush {
    private static let keys = ["data", "custom", "extra"]
    private static let keysOfSNS = ["APNS", "APNS_SANDBOX", "GCM"]

    /// The dialects of formats that are not of one provider. Data of a sender's own app may have their keys.
    private static let formats: Set<DialectID> = ["native", "webpush"]

    private let node: JSONNode
    private let dialect: any Dialect
    private let rule: String

    /// Finds a push that a provider's dialect recognises; `nil` if no place has one.
    init?(in payload: PayloadLayout, by dialects: [any Dialect]) {
        for place in Self.places(in: payload) {
            guard let object = place.object, !object.isEmpty else { continue }
            let layout = PayloadLayout(object)
            for dialect in dialects where !dialect.isOfAnySender && !Self.formats.contains(dialect.id) {
                guard let rule = dialect.detect(layout) else { continue }
                (node, self.dialect, self.rule) = (place.withWholePath, dialect, rule)
                return
            }
        }
        return nil
    }

    private static func places(in payload: PayloadLayout) -> [JSONNode] {
        var places: [JSONNode] = []
        for key in keys + keysOfSNS where payload[key] != nil { places.append(payload.root[key].unpacked) }
        if let message = payload.message { places.append(message["android"]["data"]) }
        return places
    }

    /// The problem of an inner push that is not read, because the payload around it has texts or media.
    var problem: PayloadProblem {
        PayloadProblem(
            "inner-push", node,
            "this is a push of \(dialect.id), which is not read, because the payload has its own content",
            fix: "Send the inner push alone, or name its format with --dialect")
    }

    /// Reads the inner push, with the values of `aps` from the payload around it.
    func reading(in outer: PushPayload, _ languages: [LanguageTag]) -> PushPayload {
        var reading = dialect.reading(node, detectedBy: node.path.dotted + "." + rule, in: languages)
        reading.aps.badge = reading.aps.badge ?? outer.aps.badge
        reading.aps.sound = reading.aps.sound ?? outer.aps.sound
        reading.aps.threadIdentifier = reading.aps.threadIdentifier ?? outer.aps.threadIdentifier
        reading.aps.mutableContent = reading.aps.mutableContent || outer.aps.mutableContent
        reading.aps.contentAvailable = reading.aps.contentAvailable || outer.aps.contentAvailable
        reading.isSilent = reading.isSilent || outer.isSilent
        reading.isFCMMessage = outer.isFCMMessage
        return reading
    }
}
