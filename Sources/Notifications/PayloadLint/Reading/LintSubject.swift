import Base
import NotificationModel
import NotificationProcessor

/// An object in the form that the rules check: its values, and the content that its dialect reads.
struct LintSubject: Sendable {
    let object: JSONNode
    /// Whether the object is an envelope around a payload, or was meant as an envelope. Its `payload` is checked.
    let isEnvelope: Bool
    /// Whether a dialect recognises the whole object. Such an object is a payload, even if it looks like an envelope.
    let isRecognisedAsWhole: Bool
    /// The keys because of which the object is not an envelope, each with the key that was probably meant. A guess of
    /// `nil` means that no key is similar.
    let unknownEnvelopeKeys: [(key: String, guess: String?)]
    /// The payload. It is an empty object if the object is too long to be checked.
    let payload: JSONNode
    let isTooLong: Bool
    /// The whole object, even if it is too long to be checked. The rules for sizes use it.
    let weighed: JSONNode
    /// The size of the payload in the file, in bytes, including white space.
    let writtenBytes: Int
    let reading: PushPayload
    let media: [LintMediaItem]
    /// The keys that a dialect would read under another name or in another object.
    let repairs: [KeyRepair]
    let mistypedValues: [MistypedValue]
    /// The positions of the values that the dialect of the payload reads.
    let readPlaces: Set<JSONPath>
    let pushes: [ApplePush]
    let headers: [JSONNode]
    let loneSurrogates: [JSONPath]
    let facts: [String: MediaFact]
    /// The linter, with the date, the dialects and the permitted addresses.
    let linter: PayloadLinter

    init(_ object: LintObject, by linter: PayloadLinter, facts: [String: MediaFact]) {
        let (dialects, requested) = (linter.dialects, linter.requested)
        isTooLong = Self.isTooLong(object, dialects: dialects, requested: requested)
        weighed = object.node
        let whole = isTooLong ? JSONNode(.object([:]), path: weighed.path) : weighed
        self.object = whole
        let members = whole.object ?? JSONObject()
        isRecognisedAsWhole = requested != nil || dialects.recognises(members)
        unknownEnvelopeKeys = Self.unknownEnvelopeKeys(in: members, isRecognised: isRecognisedAsWhole, dialects)
        isEnvelope = EnvelopeKeys.isEnvelope(members) || !unknownEnvelopeKeys.isEmpty
        let payload = isEnvelope ? whole["payload"] : whole
        self.payload = payload
        let outline = isEnvelope ? object.place.outline.members["payload"] : object.place.outline
        writtenBytes = outline.map { $0.end - $0.valueStart } ?? 0
        let named = isEnvelope ? whole["dialect"].string.map { DialectID($0) } : nil
        // The rule `envelope-value` reports a `dialect` that does not exist.
        let dialect = [named, requested].compactMap(\.self).first { dialects.identifiers.contains($0) }
        let pushed = payload.object ?? JSONObject()
        let reading = isTooLong ? PushPayload() : dialects.read(pushed, requested: dialect)
        self.reading = reading
        media = reading.media.map { reference in
            LintMediaItem(
                reference: reference, path: JSONPath(payload.path.steps + (reference.path?.steps ?? [])),
                url: MediaURL(reference.url), dialect: reading.dialect)
        }
        let probe =
            isTooLong
            ? nil : PayloadProbe(pushed, of: object.byteCount, as: reading, dialects: dialects, requested: dialect)
        repairs = probe.map { KeyRepairSearch($0).repairs } ?? []
        mistypedValues = probe.map { [repairs] in MistypedValue.all($0, excluding: repairs) } ?? []
        let lookups = isTooLong ? [] : reading.dialect.map { dialects.lookups(in: pushed, by: $0) } ?? []
        readPlaces = Set(
            lookups.filter { !$0.kinds.isEmpty && !$0.isOfWrongType }.map {
                JSONPath(payload.path.steps + $0.path.steps)
            })
        pushes = isTooLong ? [] : ApplePush.all(in: payload, reading)
        let message = FCMDialect.message(of: payload) ?? payload["message"]
        headers = ((isEnvelope ? [whole["headers"]] : []) + [message["apns"]["headers"]]).filter { $0.object != nil }
        loneSurrogates = object.place.loneSurrogates
        self.facts = facts
        self.linter = linter
    }

    /// Returns whether an object is too long to be checked. The bytes of media in the object are not included in the
    /// size, because each media item is only one string.
    private static func isTooLong(_ object: LintObject, dialects: DialectTable, requested: DialectID?) -> Bool {
        guard object.byteCount > FileRules.maxBytes else { return false }
        let payload = EnvelopeKeys.isEnvelope(object.object) ? object.object["payload"]?.object : nil
        let media = dialects.read(payload ?? object.object, requested: requested).media
        let inline = media.filter(\.isInline).reduce(0) { $0 + $1.url.utf8.count }
        return object.byteCount - inline > FileRules.maxBytes
    }

    /// Returns the first APNs header with a name. Returns `nil` if there is no such header.
    ///
    /// - Parameter name: The name of the header in lower case.
    func header(_ name: String) -> JSONNode? {
        for node in headers {
            if let key = node.object?.keys.first(where: { $0.lowercased() == name }) { return node[key] }
        }
        return nil
    }

    func isRead(as dialect: DialectID) -> Bool { reading.dialect == dialect }

    /// The message to FCM. In the form of the Admin SDKs, the whole payload is the message.
    var message: JSONNode { FCMDialect.message(of: payload) ?? payload["message"] }

    var isBareFCMMessage: Bool { reading.isFCMMessage && message.path == payload.path }

    /// Whether a phone shows the media of the payload. The media of a web push are shown by a browser.
    var isForPhones: Bool { !isRead(as: "webpush") }

    /// Returns the keys because of which an object that was meant as an envelope is not an envelope. Each has a guess.
    ///
    /// Some providers' events also have a `payload`. So an object that a dialect recognises was meant as an envelope
    /// only if each of these keys is a misspelt key of an envelope.
    private static func unknownEnvelopeKeys(
        in object: JSONObject, isRecognised: Bool, _ dialects: DialectTable
    ) -> [(key: String, guess: String?)] {
        guard object["payload"]?.object != nil, object["aps"]?.object == nil else { return [] }
        let unknownKeys = EnvelopeKeys.unknownKeys(in: object)
            .map { (key: $0.key, guess: $0.guess ?? KeyGuess.nearest(to: $0.key, among: EnvelopeKeys.all)) }
        if isRecognised { return unknownKeys.allSatisfy { $0.guess != nil } ? unknownKeys : [] }
        let isMeant = EnvelopeKeys.isMeantAsEnvelope(object, by: dialects) || unknownKeys.contains { $0.guess != nil }
        return isMeant ? unknownKeys : []
    }
}
