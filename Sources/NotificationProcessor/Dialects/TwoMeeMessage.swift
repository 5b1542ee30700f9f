import Base
import FoundationEssentials
import NotificationModel

/// A 2mee message in any of its forms, with the mistakes in it.
struct TwoMeeMessage {
    enum Kind: String, CaseIterable { case face, image, animation, video, text }
    enum Stage: String, CaseIterable { case prefetch, alert }

    static let restTypes = ["HOLOPUSH", "TEXT"]

    /// The object of the payload that has the message's keys.
    let place: TwoMeePlace
    let stage: Stage?
    /// The kind of the message; `nil` if the kind is missing or unknown. An unknown kind has no effect.
    let kind: Kind?
    private(set) var problems: [PayloadProblem] = []

    var node: JSONNode { place.node }
    var isNested: Bool { place.isNested }
    /// Whether the value of `appear2mee` is not an object, so that no part of the message can be read.
    var isUnreadable: Bool { isNested && node.object == nil }

    init(_ payload: JSONNode) {
        place = TwoMeePlace(payload)
        let stage = TwoMeeWord<Stage>(place["stage"])
        self.stage = stage.value
        let written = TwoMeeWord<Kind>(place["kind"])
        let isWritten = place["kind"].text != nil
        kind = written.value ?? (place.isPush || isWritten ? nil : Self.restKind(of: place.node))
        guard !isUnreadable else {
            problems = [place.unreadable]
            return
        }
        problems = place.misspeltKeys + place.wrongTimes + place.wrongTexts
        if let problem = stage.problem("2mee-stage", "it counts as missing") { problems.append(problem) }
        if let problem = written.problem(
            "2mee-kind", "the message gets the sound of the kind other, and no file gets a role")
        {
            problems.append(problem)
        }
        if kind == nil, !isWritten, !place.isPush, let problem = place.misspeltType { problems.append(problem) }
    }

    subscript(key: String) -> JSONNode { place[key] }

    /// Returns the kind of a REST request. `HOLOPUSH` is a face, and `TEXT` is a text, or an image if its `subType` is
    /// `I`.
    private static func restKind(of node: JSONNode) -> Kind? {
        switch (node["type"].string?.uppercased(), node["subType"].string?.uppercased()) {
        case ("HOLOPUSH", _): .face
        case ("TEXT", "I"): .image
        case ("TEXT", _): .text
        default: nil
        }
    }

    /// The time at which the message expires: `expiry` minutes after `playTime`, which is in milliseconds since 1970.
    /// The value is `nil` if one of the two is missing or negative.
    var expiry: Date? {
        guard let playTime = place.number("playTime"), let minutes = place.number("expiry"), playTime >= 0, minutes >= 0
        else { return nil }
        return Date(timeIntervalSince1970: playTime / 1_000 + minutes * 60)
    }

    /// The play time, in milliseconds since 1970. A string becomes a number; `nil` without a time.
    var playTime: JSONValue? {
        guard let number = place.number("playTime") else { return nil }
        let node = self["playTime"]
        guard node.double == nil else { return node.value }
        return .number(node.looseInteger.map { JSONNumber($0) } ?? JSONNumber(number))
    }

    /// The pairs of keys and values that the user of 2mee's platform added for accept and dismiss. A REST request
    /// without `keys` has them in `about`.
    var keys: (read: JSONObject?, problems: [PayloadProblem]) {
        if self["keys"].exists { return TwoMeeKeys.read(self["keys"]) }
        return place.isPush ? (nil, []) : TwoMeeKeys.read(self["about"])
    }

    func lackOfText(hasFallback: Bool) -> PayloadProblem {
        PayloadProblem(
            "2mee-text-missing", node,
            "the push has no text, " + (hasFallback ? "and shows the fallback text" : "and shows nothing"),
            fix: "Add an alert to aps")
    }

    var prefetchedAlert: PayloadProblem {
        PayloadProblem(
            "2mee-prefetch-alert", self["stage"],
            "the stage is prefetch, but aps has an alert, so the push is shown",
            fix: "Remove the alert from the first push, or write the stage alert")
    }
}

/// The pairs of keys and values of a 2mee message, which are for the app's code after accept and dismiss.
///
/// A push has an object. A REST request has a list of objects with `key` and `value`. A list whose elements are lists
/// of a key and a value is also read.
enum TwoMeeKeys {
    /// The maximum number of problems that are reported. A message has few pairs.
    private static let maxProblems = 8

    static func read(_ node: JSONNode) -> (read: JSONObject?, problems: [PayloadProblem]) {
        guard let value = node.value, value != .null else { return (nil, []) }
        if let keys = value.object { return (keys, []) }
        guard value.array != nil else {
            let problem = PayloadProblem(
                "2mee-keys", node, "this is \(value.typeName), not an object, and is left out",
                fix: "Write an object with the keys and their values")
            return (nil, [problem])
        }
        var (keys, problems) = (JSONObject(), [PayloadProblem]())
        for element in node.elements {
            let isPair = element.array?.count == 2
            let (key, pair) = isPair ? (element[0], element[1]) : (element["key"], element["value"])
            guard let name = key.text, let value = pair.value else {
                problems.append(
                    PayloadProblem(
                        "2mee-keys", element, "this is not a pair of a key and a value, and is left out",
                        fix: "Write {\"key\": \"NAME\", \"value\": \"VALUE\"}"))
                continue
            }
            keys.append(name, value)
        }
        return (keys, Array(problems.prefix(maxProblems)))
    }
}
