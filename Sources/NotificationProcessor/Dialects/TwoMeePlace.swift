package import NotificationModel

/// The object of a payload that has the keys of a 2mee message, and the rule by which it is found.
///
/// The keys are under `appear2mee`, or flat beside `aps`; either way also in the push that a message to FCM has for Apple's
/// phones, or in its `data`.
package struct TwoMeePlace {
    /// The object with the keys. A value of `appear2mee` that holds no object has none of them.
    package let node: JSONNode
    /// Under `appear2mee`, where all keys are the message's.
    let isNested: Bool
    /// FCM's `data` has texts alone: a list or an object is a text that holds it, a number is one of digits.
    let isOfTexts: Bool
    /// The message to FCM that the keys are in.
    let message: JSONNode?
    let rule: String

    /// The place of a payload's keys: the whole payload, if no rule finds another.
    package init(_ payload: JSONNode) {
        self =
            Self.find(in: payload)
            ?? TwoMeePlace(node: payload, isNested: false, isOfTexts: false, message: nil, rule: "")
    }

    private init(node: JSONNode, isNested: Bool, isOfTexts: Bool, message: JSONNode?, rule: String) {
        (self.node, self.isNested, self.isOfTexts) = (node, isNested, isOfTexts)
        (self.message, self.rule) = (message, rule)
    }

    static func find(in payload: JSONNode) -> TwoMeePlace? {
        if let found = found(in: payload, isOfTexts: false) { return found }
        guard let message = FCMDialect.message(of: payload) else { return nil }
        return found(in: message["apns"]["payload"], isOfTexts: false, of: message, under: "message.apns.payload.")
            ?? found(in: message["data"], isOfTexts: true, of: message, under: "message.data.")
    }

    private static func found(
        in node: JSONNode, isOfTexts: Bool, of message: JSONNode? = nil, under prefix: String = ""
    ) -> TwoMeePlace? {
        guard node.object != nil else { return nil }
        let nested = node["appear2mee"]
        if let value = nested.value, value != .null {
            let object = value.object == nil && nested.embedded.object != nil ? nested.embedded : nested
            return TwoMeePlace(
                node: object, isNested: true, isOfTexts: false, message: message, rule: prefix + "appear2mee")
        }
        let flat = TwoMeePlace(node: node, isNested: false, isOfTexts: isOfTexts, message: message, rule: "")
        guard let rule = flat.flatRule else { return nil }
        return TwoMeePlace(
            node: node, isNested: false, isOfTexts: isOfTexts, message: message, rule: prefix + rule)
    }

    // MARK: Keys

    /// The value of a key. `stage` is found in any case of letters.
    package subscript(key: String) -> JSONNode {
        var member = node[key]
        if key == "stage", !member.exists, let other = node.object?.keys.first(where: { $0.lowercased() == key }) {
            member = node[other]
        }
        guard isOfTexts, let first = member.text?.first, first == "[" || first == "{" else { return member }
        let held = member.embedded
        return held.exists ? held : member
    }

    package func number(_ key: String) -> Double? { isOfTexts ? node[key].looseDouble : node[key].double }

    // MARK: Flat keys

    /// Keys of a flat message, one of which stands beside `fbText`.
    private static let flatKeys = [
        "urls", "aps", "text", "title", "subtitle", "fbTitle", "fbSubtitle", "type", "kind", "stage", "action", "about",
        "keys", "playTime", "expiry",
    ]

    /// Keys of a REST request, one of which stands beside `type` and `text`.
    static let restKeys = ["holoPushUrl", "subType", "channel", "appId", "about", "playTime"]

    private var flatRule: String? {
        if node["fbText"].exists {
            if node["url"].exists || node["holoPushUrl"].exists { return "fbText+url" }
            return Self.flatKeys.first { self[$0].exists }.map { "fbText+\($0)" }
        }
        if self["urls"].array != nil, let key = wordKey { return "\(key)+urls" }
        // A text alone, as the REST interface takes it. Other senders have a type and a text, too.
        guard message == nil, !node["aps"].exists, hasRestType, node["text"].string != nil else { return nil }
        return Self.restKeys.first { node[$0].exists }.map { "type+\($0)" }
    }

    var hasRestType: Bool { TwoMeeMessage.restTypes.contains(node["type"].string?.uppercased() ?? "") }

    /// The key whose value is a word of ours, by which a flat message without a fallback text is recognised. Other senders
    /// have kinds of these names, but no time beside them.
    private var wordKey: String? {
        if stage != nil { return "stage" }
        return kind != nil && (self["playTime"].exists || self["expiry"].exists) ? "kind" : nil
    }

    var stage: TwoMeeMessage.Stage? { self["stage"].text.flatMap { .init(rawValue: $0.lowercased()) } }
    var kind: TwoMeeMessage.Kind? { self["kind"].text.flatMap { .init(rawValue: $0.lowercased()) } }
}
