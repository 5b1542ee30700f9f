import FoundationEssentials
import JSON
import NotificationModel

/// The `pt_` keys of a CleverTap payload, which also come as one string of JSON, `pt_json`. That one goes first.
struct CleverTapTemplate {
    /// Each of these, and each with `_alt` behind it for the time after the end; beside them `pt_img` and a number.
    private static let mediaKeys: Set<String> = ["pt_big_img", "pt_gif", "pt_ico"]

    private let payload: JSONNode
    private let json: JSONNode

    init(_ payload: JSONNode) {
        self.payload = payload
        json = payload["pt_json"].embedded
    }

    /// The string of a key. What is of another type, or empty, does not go before anything.
    subscript(key: String) -> JSONNode { json[key].text == nil ? payload[key] : json[key] }

    /// As it is until the timer ends. An empty line is none.
    var text: NotificationText {
        NotificationText(title: self["pt_title"].text, subtitle: self["pt_subtitle"].text, body: self["pt_msg"].text)
    }

    var expiryText: NotificationText {
        NotificationText(title: self["pt_title_alt"].text, body: self["pt_msg_alt"].text)
    }

    var link: String? { self["pt_default_dl"].text ?? self["pt_dl1"].text }

    /// `pt_timer_end`: seconds since 1970, a number or a string, which may be written `$D_1595871380`.
    ///
    /// `pt_timer_threshold` goes before it: so many seconds from when somebody looks, which is no date.
    var end: Date? {
        if let threshold = number("pt_timer_threshold", \.looseDouble), threshold > 0 { return nil }
        return number("pt_timer_end", \.timestamp).map { Date(timeIntervalSince1970: $0) }
    }

    private func number(_ key: String, _ reading: (JSONNode) -> Double?) -> Double? {
        reading(json[key]) ?? reading(payload[key])
    }

    /// - Parameter node: a value of this template; one that `pt_json` has another of is none.
    func medium(_ key: String, _ node: JSONNode) -> MediaReference? {
        let isAlternative = key.hasSuffix("_alt")
        let name = isAlternative ? String(key.dropLast(4)) : key
        guard Self.isMedium(name), node.path == self[key].path else { return nil }
        // The large icon, as the templates' documentation calls it.
        let role = name == "pt_ico" ? MediaRole.icon : .attachment
        guard var medium = MediaReference(node, identifier: key, role: role) else { return nil }
        if isAlternative { medium.use = .afterExpiry }
        return medium
    }

    private static func isMedium(_ name: String) -> Bool {
        guard name.hasPrefix("pt_img") else { return mediaKeys.contains(name) }
        let number = name.utf8.dropFirst("pt_img".utf8.count)
        return !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension JSONNode {
    fileprivate var timestamp: Double? {
        guard let text, text.hasPrefix("$D_") else { return looseDouble }
        return JSONNode(.string(String(text.dropFirst(3)))).looseDouble
    }
}
