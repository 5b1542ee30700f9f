import NotificationModel

/// Flat payloads that have words of 2mee's, and neither its mark nor a fallback text.
///
/// Other senders write an address beside a `kind` or an `expiry`, too. So these are looked at only after no sender's own
/// mark is found: what two of 2mee's words agree on is read as 2mee's, and of what is left a problem is reported.
struct TwoMeeDoubt {
    private let place: TwoMeePlace
    private var node: JSONNode { place.node }

    init(_ payload: JSONNode) { place = TwoMeePlace(payload) }

    /// The rule that recognises a single file beside words of 2mee's.
    var rule: String? {
        guard let url, let word = words.first else { return nil }
        let isSure = url == "holoPushUrl" || place.stage == .prefetch || words.count > 1
        return isSure ? "\(word)+\(url)" : nil
    }

    /// The key of a single file.
    private var url: String? { ["holoPushUrl", "url"].first { node[$0].text != nil } }

    /// The keys with values as 2mee has them.
    private var words: [String] {
        [
            ("stage", place.stage != nil), ("kind", place.kind != nil),
            ("playTime", node["playTime"].double != nil), ("expiry", node["expiry"].double != nil),
        ].filter(\.1).map(\.0)
    }

    /// The reason why the payload may be 2mee's and is not read as such; `nil`: nothing of it is 2mee's.
    var problem: PayloadProblem? {
        if let url, let word = words.first ?? misspeltStage {
            return PayloadProblem(
                "2mee-unrecognised", place[word],
                "\(word) beside \(url) may be 2mee's, but fbText is missing, and the payload is not read as 2mee's",
                fix: "Add fbText, or put the message into appear2mee")
        }
        if url == "holoPushUrl" {
            return PayloadProblem(
                "2mee-unrecognised", node["holoPushUrl"],
                "holoPushUrl is 2mee's, but fbText is missing, and the payload is not read as 2mee's",
                fix: "Add fbText, or put the message into appear2mee")
        }
        guard place.hasRestType else { return nil }
        let isPush = node["aps"].exists
        let isOfVendor = node["type"].string?.uppercased() == "HOLOPUSH"
        let restKey = TwoMeePlace.restKeys.first { node[$0].exists }
        let missing: String
        if node["text"].string == nil {
            guard isOfVendor || restKey != nil && !isPush else { return nil }
            missing = "text is missing"
        } else if isPush {
            guard isOfVendor || restKey != nil else { return nil }
            missing = "beside aps it needs fbText"
        } else {
            missing = "none of \(TwoMeePlace.restKeys.joined(separator: ", ")) is there"
        }
        return PayloadProblem(
            "2mee-unrecognised", node["type"],
            "the type is 2mee's, but \(missing), and the payload is not read as 2mee's",
            fix: "Add what is missing, or fbText")
    }

    private var misspeltStage: String? {
        guard let text = place["stage"].text,
            TwoMeeMessage.Stage.allCases.contains(where: { NearestWord.isSlip(text, of: $0.rawValue) })
        else { return nil }
        return "stage"
    }
}
