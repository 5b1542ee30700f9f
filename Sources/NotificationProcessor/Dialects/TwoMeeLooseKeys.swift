import Base
import NotificationModel

/// The check of flat keys of 2mee in a payload that has neither the key `appear2mee` nor a fallback text.
///
/// Other senders also write a link beside a `kind` or an `expiry`. A file in `url` is therefore sufficient only with
/// the stage `prefetch`, or with two of the keys in `words`. A payload with fewer of these keys is not read as a
/// message of 2mee, and a problem is reported.
struct TwoMeeLooseKeys {
    private let place: TwoMeePlace
    private var node: JSONNode { place.node }

    init(_ place: TwoMeePlace) { self.place = place }

    /// The rule that recognises the payload; `nil` if the payload has too few of the keys.
    var rule: String? {
        guard let file, let word = words.first else { return nil }
        // For a file in `urls` or `holoPushUrl`, one of the keys in `words` is sufficient.
        let isSure = file != "url" || place.stage == .prefetch || words.count > 1
        return isSure ? "\(word)+\(file)" : nil
    }

    /// The key that has a file; `nil` if no key has a file.
    private var file: String? {
        if let key = ["holoPushUrl", "url"].first(where: { Self.canBeFetched(node[$0]) }) { return key }
        return place["urls"].elements.contains(where: Self.canBeFetched) ? "urls" : nil
    }

    /// Returns whether the value is a URL that can be fetched. A link into the app is not a file.
    private static func canBeFetched(_ node: JSONNode) -> Bool {
        guard let url = node.text?.lowercased() else { return false }
        return ["https:", "http:", "data:"].contains { url.hasPrefix($0) }
    }

    /// Returns whether the key has a number. Other senders write their expiry as a string, so a string counts only in
    /// the data of a message to FCM.
    private func hasNumber(_ key: String) -> Bool {
        place.isInMessage ? place.number(key) != nil : node[key].double != nil
    }

    /// The keys whose values have 2mee's format.
    private var words: [String] {
        [
            ("stage", place.stage != nil), ("kind", place.kind != nil),
            ("playTime", hasNumber("playTime")), ("expiry", hasNumber("expiry")),
        ].filter(\.1).map(\.0)
    }

    /// The reason why the payload may be a message of 2mee, but is not read as one; `nil` without 2mee's keys.
    var problem: PayloadProblem? {
        // Many senders have an expiry, so an expiry alone is not sufficient.
        let word = words.first { $0 != "expiry" } ?? misspeltStage
        if let key = file ?? (place["urls"].text == nil ? nil : "urls"), let word {
            return problem(place[word], "\(word) beside \(key) is probably a key of 2mee, but fbText is missing")
        }
        if node["holoPushUrl"].text != nil {
            return problem(node["holoPushUrl"], "holoPushUrl is a key of 2mee, but fbText is missing")
        }
        return place.hasRestType
            ? missingOfREST.map { problem(node["type"], "the type is one of 2mee, but \($0)") } : nil
    }

    private func problem(_ node: JSONNode, _ text: String) -> PayloadProblem {
        PayloadProblem(
            "2mee-unrecognised", node, text + ", so the payload is not read as a message of 2mee",
            fix: "Add the missing key, or put the message into appear2mee")
    }

    /// The key that a REST request lacks, as a part of an error text. Other senders also have a `type` beside `aps`.
    private var missingOfREST: String? {
        let isOfVendor = node["type"].string?.uppercased() == "HOLOPUSH"
        if node["aps"].exists { return isOfVendor ? "beside aps it needs fbText" : nil }
        guard node["text"].string == nil else {
            return "none of \(TwoMeePlace.restKeys.joined(separator: ", ")) is there"
        }
        let hasRestKey = TwoMeePlace.restKeys.contains { node[$0].exists }
        return isOfVendor || hasRestKey ? "text is missing" : nil
    }

    private var misspeltStage: String? {
        guard let text = place["stage"].text,
            TwoMeeMessage.Stage.allCases.contains(where: { NearestWord.isSlip(text, of: $0.rawValue) })
        else { return nil }
        return "stage"
    }
}
