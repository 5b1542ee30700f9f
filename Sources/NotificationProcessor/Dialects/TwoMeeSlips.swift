import Base
package import NotificationModel

/// The sender's mistakes in the keys and values of a 2mee message.
extension TwoMeePlace {
    var unreadable: PayloadProblem {
        let written = node.string == nil ? node.value?.typeName ?? "nothing" : "a string without an object"
        return PayloadProblem(
            "2mee-unreadable", node, "appear2mee is \(written), so the message cannot be read",
            fix: "Write an object with the keys of the message")
    }

    private static let texts = ["title", "subtitle", "text", "fbTitle", "fbSubtitle", "fbText", "action"]
    private static let knownKeys =
        texts + ["id", "stage", "kind", "urls", "playTime", "expiry", "keys", "presentation"]

    /// The maximum number of keys that are compared. A message has fewer keys.
    private static let maxKeys = 64

    /// The problem of a key that is nearly `appear2mee`; `nil` if there is no such key.
    var misspeltMark: PayloadProblem? {
        let key = node.object?.keys.prefix(Self.maxKeys).first {
            $0 != "appear2mee" && NearestWord.isSlip($0, of: "appear2mee")
        }
        return key.map {
            PayloadProblem(
                "2mee-key", node[$0], "\(VisibleText.quoted($0)) is not read; did you mean appear2mee?",
                fix: "Rename it to appear2mee")
        }
    }

    /// The problems of keys that are nearly a missing key of 2mee. Other keys of a flat message are the sender's own.
    var misspeltKeys: [PayloadProblem] {
        let known = (isNested ? Self.knownKeys : ["stage", "kind"]).filter { !node[$0].exists }
        return (node.object?.keys.prefix(Self.maxKeys) ?? []).compactMap { key in
            // The key `stage` is read in upper or lower case. The vendor's requests have a `state` of their own.
            guard !Self.knownKeys.contains(key), key.lowercased() != "stage", key != "state" || isStage(node[key]),
                let meant = known.first(where: { NearestWord.isSlip(key, of: $0) })
            else { return nil }
            return PayloadProblem(
                "2mee-key", node[key], "\(VisibleText.quoted(key)) is not read; did you mean \(meant)?",
                fix: "Rename it to \(meant)")
        }
    }

    private func isStage(_ node: JSONNode) -> Bool {
        let written = node.text ?? ""
        return TwoMeeMessage.Stage.allCases.contains { NearestWord.distance(written.lowercased(), $0.rawValue) <= 1 }
    }

    /// The problem of a request whose message is cancelled, and is therefore not shown.
    package var cancelled: PayloadProblem {
        PayloadProblem(
            "2mee-cancelled", node["state"], "the state is CANCELLED, so nothing is shown",
            fix: "Write the state NEW or SCHEDULED, if the message is to be shown")
    }

    /// The problem of a type whose name is similar to a type of the REST interface. The vendor may have other types.
    var misspeltType: PayloadProblem? {
        guard let type = node["type"].text,
            let meant = TwoMeeMessage.restTypes.first(where: { NearestWord.isSlip(type, of: $0) })
        else { return nil }
        return PayloadProblem(
            "2mee-kind", node["type"], "\(VisibleText.quoted(type)) is not a type; did you mean \(meant)?",
            fix: "Write \(meant)")
    }

    /// The problems of texts that are not strings, and are therefore not shown.
    var wrongTexts: [PayloadProblem] {
        Self.texts.compactMap { key in
            guard let value = node[key].value, value != .null, value.string == nil else { return nil }
            return PayloadProblem(
                "2mee-text", node[key], "\(key) is \(value.typeName), not a text, and is left out",
                fix: "Write the text in quotes")
        }
    }

    package func lackOfTimes(_ missing: [String]) -> PayloadProblem {
        let keys = missing.joined(separator: " and ")
        return PayloadProblem(
            "2mee-time-missing", node, "without \(keys) the message never expires", fix: "Add \(keys)")
    }

    var wrongTimes: [PayloadProblem] {
        let wrong = [("playTime", "milliseconds since 1970"), ("expiry", "minutes")].compactMap { key, unit in
            let number = number(key)
            return (self[key].value ?? .null) == .null || (number ?? -1) >= 0
                ? nil
                : PayloadProblem(
                    "2mee-time", self[key],
                    "\(key) is \(number == nil ? self[key].value?.typeName ?? "nothing" : "negative"), not a number of 0 or more",
                    fix: "Write \(unit)")
        }
        let missing = ["playTime", "expiry"].filter { (self[$0].value ?? .null) == .null }
        if missing.count == 1 { return wrong + [lackOfTimes(missing)] }
        // A time of this century in seconds, read as milliseconds, is in January or February 1970.
        guard let time = number("playTime"), (1_000_000_000..<10_000_000_000).contains(time) else { return wrong }
        let seconds = PayloadProblem(
            "2mee-time", self["playTime"], "playTime is in seconds, not in milliseconds",
            fix: "Write milliseconds since 1970")
        return wrong + [seconds]
    }
}

/// A value from a fixed set of words, in upper or lower case.
struct TwoMeeWord<Value: RawRepresentable & CaseIterable> where Value.RawValue == String {
    let node: JSONNode
    let value: Value?

    init(_ node: JSONNode) {
        self.node = node
        value = node.text.flatMap { Value(rawValue: $0.lowercased()) }
    }

    /// Returns the problem of a value that is not in the set; `nil` if it is in the set, or is missing.
    func problem(_ rule: String, _ consequence: String) -> PayloadProblem? {
        guard value == nil, let written = node.value, written != .null else { return nil }
        let words = Value.allCases.map(\.rawValue)
        let guess = node.text.flatMap { text in words.first { NearestWord.isSlip(text, of: $0) } }
        let shown = node.string.map { VisibleText.quoted($0) } ?? written.typeName
        return PayloadProblem(
            rule, node,
            "\(shown) is not one of \(words.joined(separator: ", "))"
                + (guess.map { "; did you mean \($0)?" } ?? ": \(consequence)"),
            fix: guess.map { "Write \($0)" } ?? "Write one of: \(words.joined(separator: ", "))")
    }
}
