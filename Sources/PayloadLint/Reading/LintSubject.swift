import FoundationEssentials
import JSON
import NotificationModel
import NotificationProcessor

/// One object as the rules see it: as it is written, and as its dialect reads it.
struct LintSubject: Sendable {
    let object: JSONNode
    /// It is an envelope around a payload, or was meant as one: then what is in it is looked at all the same.
    let isEnvelope: Bool
    /// Whether a dialect recognises the whole object, so that it is a bare payload even if it looks like an envelope.
    let isRecognisedAsWhole: Bool
    /// The keys that make it none.
    let envelopeStrangers: [(key: String, guess: String?)]
    /// The payload, or an object without anything where the object is too long to be looked into.
    let payload: JSONNode
    let isTooLong: Bool
    /// The object as it is, also where it is too long: for its size.
    let weighed: JSONNode
    /// Bytes of the payload in the file, white space included.
    let writtenBytes: Int
    let reading: PushPayload
    let media: [LintMedium]
    /// Keys that would be read under another name, or in another object.
    let repairs: [KeyRepair]
    let mistypedValues: [MistypedValue]
    /// The places whose values the payload's dialect reads.
    let readPlaces: Set<JSONPath>
    let pushes: [ApplePush]
    let headers: [JSONNode]
    let loneSurrogates: [JSONPath]
    let facts: [String: MediaFact]
    let date: Date
    /// Private addresses that receivers reach.
    let allowed: [AddressRange]
    let locator: MediaURLResolver
    let dialects: DialectTable

    init(
        _ object: LintObject, dialects: DialectTable, requested: DialectID?, date: Date, allowed: [AddressRange],
        locator: MediaURLResolver,
        facts: [String: MediaFact]
    ) {
        isTooLong = Self.isTooLong(object, dialects: dialects, requested: requested)
        weighed = object.node
        let whole = isTooLong ? JSONNode(.object([:]), path: weighed.path) : weighed
        self.object = whole
        let members = whole.object ?? JSONObject()
        isRecognisedAsWhole = requested != nil || dialects.recognises(members)
        envelopeStrangers = Self.envelopeStrangers(in: members, isRecognised: isRecognisedAsWhole, dialects)
        isEnvelope = EnvelopeKeys.isEnvelope(members) || !envelopeStrangers.isEmpty
        let payload = isEnvelope ? whole["payload"] : whole
        self.payload = payload
        let outline = isEnvelope ? object.place.outline.members["payload"] : object.place.outline
        writtenBytes = outline.map { $0.end - $0.valueStart } ?? 0
        let named = isEnvelope ? whole["dialect"].string.map { DialectID($0) } : nil
        // What the envelope names wrongly is told by another rule.
        let dialect = [named, requested].compactMap(\.self).first { dialects.identifiers.contains($0) }
        let pushed = payload.object ?? JSONObject()
        let reading = isTooLong ? PushPayload() : dialects.read(pushed, requested: dialect)
        self.reading = reading
        media = reading.media.map { reference in
            LintMedium(
                reference: reference, path: JSONPath(payload.path.steps + (reference.path?.steps ?? [])),
                url: MediaURL(reference.url), dialect: reading.dialect)
        }
        let trial =
            isTooLong
            ? nil : PayloadTrial(pushed, of: object.byteCount, as: reading, dialects: dialects, requested: dialect)
        repairs = trial.map { KeyRepairSearch($0).repairs } ?? []
        mistypedValues = trial.map { [repairs] in MistypedValue.all($0, besides: repairs) } ?? []
        let lookups = isTooLong ? [] : reading.dialect.map { dialects.lookups(in: pushed, by: $0) } ?? []
        readPlaces = Set(
            lookups.filter { !$0.kinds.isEmpty && !$0.isOfWrongType }.map {
                JSONPath(payload.path.steps + $0.path.steps)
            })
        pushes = isTooLong ? [] : ApplePush.all(in: payload, reading)
        let places =
            (isEnvelope ? [whole["headers"]] : []) + [
                (FCMDialect.message(of: payload) ?? payload["message"])["apns"]["headers"]
            ]
        headers = places.filter { $0.object != nil }
        loneSurrogates = object.place.loneSurrogates
        self.facts = facts
        self.date = date
        self.allowed = allowed
        self.locator = locator
        self.dialects = dialects
    }

    /// Whether an object is longer than what is looked into. The bytes of media in it do not count: they are one string
    /// each.
    private static func isTooLong(_ object: LintObject, dialects: DialectTable, requested: DialectID?) -> Bool {
        guard object.byteCount > FileRules.mostBytes else { return false }
        let payload = EnvelopeKeys.isEnvelope(object.object) ? object.object["payload"]?.object : nil
        let media = dialects.read(payload ?? object.object, requested: requested).media
        let inline = media.filter(\.isInline).reduce(0) { $0 + $1.url.utf8.count }
        return object.byteCount - inline > FileRules.mostBytes
    }

    /// - Parameter name: in lower case. The first of this name.
    func header(_ name: String) -> JSONNode? {
        for node in headers {
            if let key = node.object?.keys.first(where: { $0.lowercased() == name }) { return node[key] }
        }
        return nil
    }

    func isRead(as dialect: DialectID) -> Bool { reading.dialect == dialect }

    /// A server sends it to FCM.
    var isFCMMessage: Bool { reading.isFCMMessage }

    /// The message to FCM: the whole payload in the form of the Admin SDKs.
    var message: JSONNode { FCMDialect.message(of: payload) ?? payload["message"] }

    var isBareFCMMessage: Bool { isFCMMessage && message.path == payload.path }

    /// The medium comes to a phone by itself, and a page is shown by a browser.
    var isForPhones: Bool { !isRead(as: "webpush") }

    /// The keys that make an object no envelope though it was meant as one, each with the key that was probably meant.
    ///
    /// An object that a dialect recognises was meant as an envelope only if each of them is a misspelt key: some providers'
    /// events have a payload, too.
    private static func envelopeStrangers(
        in object: JSONObject, isRecognised: Bool, _ dialects: DialectTable
    ) -> [(key: String, guess: String?)] {
        guard object["payload"]?.object != nil, object["aps"]?.object == nil else { return [] }
        let strangers = EnvelopeKeys.strangers(in: object)
            .map { (key: $0.key, guess: $0.guess ?? KeyGuess.nearest(to: $0.key, among: EnvelopeKeys.all)) }
        if isRecognised { return strangers.allSatisfy { $0.guess != nil } ? strangers : [] }
        let isMeant =
            EnvelopeKeys.isMeantAsEnvelope(object, by: dialects) || strangers.contains { $0.guess != nil }
        return isMeant ? strangers : []
    }
}
