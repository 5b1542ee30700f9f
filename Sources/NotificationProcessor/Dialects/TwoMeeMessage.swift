import FoundationEssentials
import NotificationModel

/// A 2mee message in any of its shapes, and the slips in it.
struct TwoMeeMessage {
    enum Kind: String, CaseIterable { case face, image, animation, video, text }
    enum Stage: String, CaseIterable { case prefetch, alert }

    static let restTypes = ["HOLOPUSH", "TEXT"]

    let node: JSONNode
    /// Under `appear2mee`, where all keys are the message's.
    let isNested: Bool
    let stage: Stage?
    let kind: Kind?
    /// The kind as the payload writes it, if it is not a known one.
    let kindName: String?
    private(set) var problems: [PayloadProblem] = []

    init(_ payload: JSONNode) {
        isNested = payload["appear2mee"].object != nil
        node = isNested ? payload["appear2mee"] : payload
        let stage = Word<Stage>(node["stage"])
        self.stage = stage.value
        let written = Word<Kind>(node["kind"])
        let rest = isNested || node["kind"].text != nil ? nil : Self.restKind(of: node)
        kind = written.value ?? rest
        kindName = kind?.rawValue ?? node["kind"].text
        problems = Self.misspeltKeys(of: node, isNested: isNested)
        if let problem = stage.problem("2mee-stage", "it is taken for an alert") { problems.append(problem) }
        if let problem = written.problem("2mee-kind", "it gets the sound of other messages, and no role is known") {
            problems.append(problem)
        }
        if kindName == nil, !isNested, let problem = Self.misspeltType(of: node) { problems.append(problem) }
    }

    /// The key whose value is a word of ours, by which a flat message without a fallback text is recognised. Other senders
    /// have kinds of these names, but no time beside them.
    static func wordKey(in payload: JSONObject) -> String? {
        if Word<Stage>(JSONNode(payload)["stage"]).value != nil { return "stage" }
        guard payload["playTime"] != nil || payload["expiry"] != nil else { return nil }
        return Word<Kind>(JSONNode(payload)["kind"]).value == nil ? nil : "kind"
    }

    /// `HOLOPUSH` is a face, `TEXT` a text, with `subType` `I` an image.
    private static func restKind(of node: JSONNode) -> Kind? {
        switch (node["type"].string?.uppercased(), node["subType"].string?.uppercased()) {
        case ("HOLOPUSH", _): .face
        case ("TEXT", "I"): .image
        case ("TEXT", _): .text
        default: nil
        }
    }

    /// `playTime` (milliseconds since 1970) and `expiry` (minutes after it).
    var expiry: Date? {
        guard let playTime = node["playTime"].double, let minutes = node["expiry"].double else { return nil }
        return Date(timeIntervalSince1970: playTime / 1_000 + minutes * 60)
    }

    /// The pairs that the platform's user attached for accept and dismiss.
    var keys: JSONObject? {
        if let keys = node["keys"].object { return keys }
        guard !isNested, node["about"].array != nil else { return nil }
        return node["about"].elements.reduce(into: JSONObject()) { keys, pair in
            if let key = pair["key"].text, let value = pair["value"].value { keys.append(key, value) }
        }
    }

    var prefetchedAlert: PayloadProblem {
        PayloadProblem(
            "2mee-prefetch-alert", node["stage"],
            "the stage is prefetch, and aps has an alert: a phone shows it, and so does this",
            fix: "Take the alert out of the first push, or write the stage alert")
    }

    // MARK: Slips

    private static let knownKeys = [
        "id", "stage", "kind", "urls", "fbTitle", "fbSubtitle", "fbText", "action", "playTime", "expiry", "keys",
        "presentation",
    ]

    /// Keys that are compared; a message has fewer.
    private static let mostKeys = 64

    /// Keys that are nearly one of ours that is not there. At the top of a flat message other keys are the sender's own.
    private static func misspeltKeys(of node: JSONNode, isNested: Bool) -> [PayloadProblem] {
        let known = (isNested ? knownKeys : ["stage", "kind"]).filter { !node[$0].exists }
        return (node.object?.keys.prefix(mostKeys) ?? []).compactMap { key in
            guard !knownKeys.contains(key), let meant = known.first(where: { NearestWord.isSlip(key, of: $0) }) else {
                return nil
            }
            return PayloadProblem(
                "2mee-key", node[key], "\(quoted(key)) is read by nobody; did you mean \(meant)?",
                fix: "Rename it to \(meant)")
        }
    }

    /// A type that is nearly one of the REST interface's; others are the vendor's own affair.
    private static func misspeltType(of node: JSONNode) -> PayloadProblem? {
        guard let type = node["type"].text, let meant = restTypes.first(where: { NearestWord.isSlip(type, of: $0) })
        else { return nil }
        return PayloadProblem(
            "2mee-kind", node["type"], "\(quoted(type)) is no type; did you mean \(meant)?", fix: "Write \(meant)")
    }

    static func quoted(_ text: String) -> String { "\"\(text.prefix(48))\"" }
}

/// A word of a closed set, in any case of letters.
private struct Word<Value: RawRepresentable & CaseIterable> where Value.RawValue == String {
    let node: JSONNode
    let value: Value?

    init(_ node: JSONNode) {
        self.node = node
        value = node.text.flatMap { Value(rawValue: $0.lowercased()) }
    }

    /// `nil`: it is one of them, or not there.
    func problem(_ rule: String, _ consequence: String) -> PayloadProblem? {
        guard value == nil, let written = node.value, written != .null else { return nil }
        let words = Value.allCases.map(\.rawValue)
        let guess = node.text.flatMap { text in words.first { NearestWord.isSlip(text, of: $0) } }
        let shown = node.string.map(TwoMeeMessage.quoted) ?? written.typeName
        return PayloadProblem(
            rule, node,
            "\(shown) is none of \(words.joined(separator: ", "))"
                + (guess.map { "; did you mean \($0)?" } ?? ": \(consequence)"),
            fix: guess.map { "Write \($0)" } ?? "Write one of: \(words.joined(separator: ", "))")
    }
}
