package import Base
import NotificationModel

/// The object of a payload that has the keys of a 2mee message, and the rule that finds it.
///
/// The keys are under `appear2mee`, or flat beside `aps`. In a message to FCM they are in Apple's payload or in `data`,
/// in either form.
package struct TwoMeePlace {
    /// The object with the keys. If `appear2mee` has a value that is not an object, this value has no keys.
    package let node: JSONNode
    /// Whether the keys are under `appear2mee`. All keys there belong to the message.
    let isNested: Bool
    /// The object with the keys or with `appear2mee`: the whole payload, or a part of a message to FCM.
    let around: JSONNode
    let isInMessage: Bool
    /// The rule that finds the keys; `nil` if no rule identifies the keys as keys of 2mee.
    private(set) var rule: String?

    /// Finds the object with the keys of a payload. If no rule finds such an object, the whole payload is used.
    package init(_ payload: JSONNode) {
        self =
            Self.find(in: payload, places: AndroidData.places(in: payload))
            ?? Self.findLoosely(in: payload, places: AndroidData.places(in: payload)) ?? TwoMeePlace(flat: payload)
    }

    private init(flat node: JSONNode, isInMessage: Bool = false) {
        (self.node, isNested, around, self.isInMessage) = (node, false, node, isInMessage)
    }

    private init(nested node: JSONNode, in place: TwoMeePlace, rule: String) {
        (self.node, isNested, around, isInMessage, self.rule) = (node, true, place.node, place.isInMessage, rule)
    }

    /// Returns the object that contains `appear2mee` or a fallback text; `nil` if the payload has no such object.
    ///
    /// - Parameter places: The objects in a message to FCM that may have the keys.
    static func find(in payload: JSONNode, places: [JSONNode]) -> TwoMeePlace? {
        for place in flatPlaces(in: payload, places) {
            if let found = place.nested ?? place.found(by: place.flatRule) { return found }
        }
        return nil
    }

    /// Returns the object with keys that other senders also use; `nil` if the payload has no such object.
    static func findLoosely(in payload: JSONNode, places: [JSONNode]) -> TwoMeePlace? {
        for place in flatPlaces(in: payload, places) {
            if let found = place.found(by: TwoMeeLooseKeys(place).rule) { return found }
        }
        return nil
    }

    /// Returns the mistakes in a payload that may be a message of 2mee, but in which no rule finds the keys.
    static func problems(ofUnrecognised payload: JSONNode, places: [JSONNode]) -> [PayloadProblem] {
        flatPlaces(in: payload, places).compactMap { $0.misspeltMark ?? TwoMeeLooseKeys($0).problem }
    }

    private static func flatPlaces(in payload: JSONNode, _ places: [JSONNode]) -> [TwoMeePlace] {
        [TwoMeePlace(flat: payload)]
            + places.filter { $0.object != nil }.map { TwoMeePlace(flat: $0, isInMessage: true) }
    }

    /// The beginning of the rule: the path of an object in a message to FCM.
    private var prefix: String { isInMessage ? node.path.dotted + "." : "" }

    private func found(by rule: String?) -> TwoMeePlace? {
        guard let rule else { return nil }
        var place = self
        place.rule = prefix + rule
        return place
    }

    private var nested: TwoMeePlace? {
        let nested = node["appear2mee"]
        guard let value = nested.value, value != .null else { return nil }
        let object = value.object == nil && nested.embedded.object != nil ? nested.embedded : nested
        return TwoMeePlace(nested: object, in: self, rule: prefix + "appear2mee")
    }

    // MARK: Keys

    /// The value of a key. `stage` is found in upper or lower case. The values of FCM's `data` are strings, even after
    /// FCM has put them beside `aps` on the phone. A list or an object is therefore a string of JSON.
    package subscript(key: String) -> JSONNode {
        var member = node[key]
        if key == "stage", !member.exists,
            let other = node.object?.members.first(where: { $0.key.utf8.count == 5 && $0.key.lowercased() == key })
        {
            member = node[other.key]
        }
        guard let first = member.text?.first, first == "[" || first == "{" else { return member }
        let contained = member.embedded
        return contained.exists ? contained : member
    }

    /// Returns the value of a key as a number. A string of digits is converted.
    package func number(_ key: String) -> Double? { node[key].looseDouble }

    // MARK: Flat keys

    /// The keys of a flat message. One of these keys beside `fbText` identifies the message.
    private static let flatKeys = [
        "urls", "aps", "text", "title", "subtitle", "fbTitle", "fbSubtitle", "type", "kind", "stage", "action", "about",
        "keys", "playTime", "expiry",
    ]

    /// The keys of a REST request. One of these keys beside `type` and `text` identifies the request.
    static let restKeys = ["holoPushUrl", "subType", "channel", "appId", "about", "playTime"]

    private var flatRule: String? {
        if node.has("fbText") {
            if node["url"].exists || node["holoPushUrl"].exists { return "fbText+url" }
            return Self.flatKeys.first { self[$0].exists }.map { "fbText+\($0)" }
        }
        if self["urls"].array != nil, let key = wordKey { return "\(key)+urls" }
        // The REST interface takes a text without a fallback text. Other senders also have a type and a text.
        guard !isInMessage, !node["aps"].exists, hasRestType, node["text"].string != nil else { return nil }
        return Self.restKeys.first { node[$0].exists }.map { "type+\($0)" }
    }

    /// Whether the object has the keys of a push, and not those of a REST request, which may be under `appear2mee` too.
    var isPush: Bool { isNested && !hasRestType }

    /// Whether the object is a request whose message the sender has cancelled.
    var isCancelled: Bool { hasRestType && node["state"].string?.uppercased() == "CANCELLED" }

    var hasRestType: Bool { TwoMeeMessage.restTypes.contains(node["type"].string?.uppercased() ?? "") }

    /// The key `stage` or `kind` if 2mee defines its value. The key identifies a flat message without a fallback text.
    /// Other senders use the same values of `kind`, but without `playTime` or `expiry`.
    private var wordKey: String? {
        if stage != nil { return "stage" }
        return kind != nil && (self["playTime"].exists || self["expiry"].exists) ? "kind" : nil
    }

    var stage: TwoMeeMessage.Stage? { self["stage"].text.flatMap { .init(rawValue: $0.lowercased()) } }
    var kind: TwoMeeMessage.Kind? { self["kind"].text.flatMap { .init(rawValue: $0.lowercased()) } }
}
