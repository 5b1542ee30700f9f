import FoundationEssentials
import NotificationModel

/// A 2mee message in any of its shapes, and the slips in it.
struct TwoMeeMessage {
    enum Kind: String, CaseIterable { case face, image, animation, video, text }
    enum Stage: String, CaseIterable { case prefetch, alert }

    static let restTypes = ["HOLOPUSH", "TEXT"]

    /// Where the message's keys are.
    let place: TwoMeePlace
    let stage: Stage?
    /// A kind that is none of these has no effect.
    let kind: Kind?
    private(set) var problems: [PayloadProblem] = []

    /// The object with the keys.
    var node: JSONNode { place.node }
    var isNested: Bool { place.isNested }
    /// `appear2mee` holds no object, so that nothing of the message can be read.
    var isUnreadable: Bool { isNested && node.object == nil }

    init(_ payload: JSONNode) {
        place = TwoMeePlace(payload)
        let stage = Word<Stage>(place["stage"])
        self.stage = stage.value
        let written = Word<Kind>(place["kind"])
        let isWritten = place["kind"].text != nil
        kind = written.value ?? (place.isNested || isWritten ? nil : Self.restKind(of: place.node))
        guard !isUnreadable else {
            problems = [Self.unreadable(node)]
            return
        }
        problems = Self.misspeltKeys(of: node, isNested: isNested)
        if let problem = stage.problem("2mee-stage", "it is taken for an alert") { problems.append(problem) }
        if let problem = written.problem("2mee-kind", "it gets the sound of other messages, and no role is known") {
            problems.append(problem)
        }
        if kind == nil, !isWritten, !isNested, let problem = Self.misspeltType(of: node) { problems.append(problem) }
    }

    subscript(key: String) -> JSONNode { place[key] }

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
        guard let playTime = place.number("playTime"), let minutes = place.number("expiry") else { return nil }
        return Date(timeIntervalSince1970: playTime / 1_000 + minutes * 60)
    }

    /// Milliseconds since 1970, as the number that they are.
    var playTime: JSONValue? {
        guard let number = place.number("playTime") else { return nil }
        let node = self["playTime"]
        guard node.double == nil else { return node.value }
        return .number(node.looseInteger.map { JSONNumber($0) } ?? JSONNumber(number))
    }

    /// The pairs that the platform's user attached for accept and dismiss; without `keys` those of a REST request.
    var keys: (read: JSONObject?, problems: [PayloadProblem]) {
        if self["keys"].exists { return TwoMeeKeys.read(self["keys"]) }
        return isNested ? (nil, []) : TwoMeeKeys.read(self["about"])
    }

    func lackOfText(hasFallback: Bool) -> PayloadProblem {
        PayloadProblem(
            "2mee-text-missing", node,
            "the push has no text to be shown, " + (hasFallback ? "and shows the fallback text" : "and shows nothing"),
            fix: "Add an alert to aps")
    }

    var prefetchedAlert: PayloadProblem {
        PayloadProblem(
            "2mee-prefetch-alert", self["stage"],
            "the stage is prefetch, and aps has an alert: a phone shows it, and so does this",
            fix: "Take the alert out of the first push, or write the stage alert")
    }

    // MARK: Slips

    private static func unreadable(_ node: JSONNode) -> PayloadProblem {
        let written = node.string == nil ? node.value?.typeName ?? "nothing" : "a text that holds no object"
        return PayloadProblem(
            "2mee-unreadable", node, "appear2mee is \(written), and nothing of the message can be read",
            fix: "Write an object with the keys of the message")
    }

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
            // The stage's key is read in any case of letters.
            guard !knownKeys.contains(key), key.lowercased() != "stage",
                let meant = known.first(where: { NearestWord.isSlip(key, of: $0) })
            else { return nil }
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
