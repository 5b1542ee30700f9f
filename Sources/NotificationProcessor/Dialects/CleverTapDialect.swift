import Base
import FoundationEssentials
import NotificationModel

/// The dialect of CleverTap. Its media are one item (`ct_mediaUrl`), a slider (`ct_ContentSlider`), or a template of
/// many `pt_` keys.
///
/// The keys are those that the public `CTNotificationContent` lists. `CTNotificationContent` is also the source for the
/// end of a timer.
struct CleverTapDialect: APSDialect {
    let id: DialectID = "clevertap"
    var marks: [[String]] { [["ct_mediaUrl"], ["wzrk_id"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        let prefixes = ["ct_", "wzrk_", "pt_"]
        let members = payload.object.members
        return prefixes.first { prefix in members.contains { $0.key.hasPrefix(prefix) } }.map { $0 + "*" }
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        let template = CleverTapTemplate(payload)
        reading.media = Self.media(of: payload, template)
        let alert = reading.successText
        let templated = template.text.over(alert)
        if templated != alert, reading.media.contains(where: { $0.use == .always }) {
            reading.successText = templated
            reading.fallbackText = alert
        }
        let isAnythingElseShown = !template.expiryText.isEmpty || reading.media.contains { $0.use == .afterExpiry }
        if isAnythingElseShown, let end = template.end {
            reading.expiresAt = end
            reading.expiryText = template.expiryText.over(templated)
        }
        // The campaign's identifier is used if the push has no separate identifier. The Android SDK uses the push's
        // identifier to detect a push that it has already seen.
        reading.providerID = payload["wzrk_pid"].identifier ?? payload["wzrk_id"].identifier
        // The list may be a string, like all values of a push through FCM.
        reading.actions = payload["wzrk_acts"].unpacked.actions(identifier: "id", title: "l")
        reading.details.append("link", text: payload["wzrk_dl"].text ?? template.link)
        reading.details.append("template", text: template["pt_id"].text)
    }

    /// Returns the media in the payload's order. Media in `pt_json` have the position of `pt_json`.
    private static func media(of payload: JSONNode, _ template: CleverTapTemplate) -> [MediaReference] {
        payload.members.flatMap { key, node in
            switch key {
            case "ct_mediaUrl": [item(node, type: payload["ct_mediaType"])].compactMap(\.self)
            case "ct_ContentSlider": node.unpacked["items"].elements.compactMap { MediaReference($0["imageUrl"]) }
            case "pt_json": node.embedded.members.compactMap { template.item($0.key, $0.node) }
            default: [template.item(key, node)].compactMap(\.self)
            }
        }
    }

    private static func item(_ url: JSONNode, type node: JSONNode) -> MediaReference? {
        MediaReference(url, declaredType: node.text.map(type), claims: [MediaClaim.classOfType(node)])
    }

    /// Returns the declared type: one of the vendor's names for kinds of media, or a MIME type.
    private static func type(_ name: String) -> DeclaredMediaType {
        name.contains("/") ? .mimeType(name) : .mediaClass(name)
    }
}

/// The `pt_` keys of a CleverTap payload. The keys in `pt_json`, a string of JSON, take precedence.
struct CleverTapTemplate {
    /// The keys of media, in addition to `pt_img` with a number. The suffix `_alt` is for media after the timer's end.
    private static let mediaKeys: Set<String> = ["pt_big_img", "pt_gif", "pt_ico"]

    private let payload: JSONNode
    private let json: JSONNode

    init(_ payload: JSONNode) {
        self.payload = payload
        json = payload["pt_json"].embedded
    }

    /// The string of a key. A value in `pt_json` takes precedence only if it is a string that is not empty.
    subscript(key: String) -> JSONNode { json[key].text == nil ? payload[key] : json[key] }

    /// The text before the timer ends. An empty title, subtitle or body is treated as missing.
    var text: NotificationText {
        NotificationText(title: self["pt_title"].text, subtitle: self["pt_subtitle"].text, body: self["pt_msg"].text)
    }

    var expiryText: NotificationText {
        NotificationText(title: self["pt_title_alt"].text, body: self["pt_msg_alt"].text)
    }

    var link: String? { self["pt_default_dl"].text ?? self["pt_dl1"].text }

    /// The end of the timer from `pt_timer_end`: seconds since 1970, as a number or as a string, which may be written
    /// `$D_1595871380`.
    ///
    /// `pt_timer_threshold` takes precedence over `pt_timer_end`. The threshold is a number of seconds from the moment
    /// at which a person sees the notification. This moment is unknown, so the end is `nil`.
    var end: Date? {
        if let threshold = number("pt_timer_threshold", \.looseDouble), threshold > 0 { return nil }
        return number("pt_timer_end", \.timestamp).map { Date(timeIntervalSince1970: $0) }
    }

    private func number(_ key: String, _ reading: (JSONNode) -> Double?) -> Double? {
        reading(json[key]) ?? reading(payload[key])
    }

    /// Returns the media item of a value; `nil` if the key is not one of a media item, or if the value has no URL.
    ///
    /// - Parameter node: A value of this template. A value that `pt_json` overrides is no media item.
    func item(_ key: String, _ node: JSONNode) -> MediaReference? {
        let isAlternative = key.hasSuffix("_alt")
        let name = isAlternative ? String(key.dropLast(4)) : key
        guard Self.isMediaItem(name), node.path == self[key].path else { return nil }
        // The documentation of the templates calls `pt_ico` the large icon.
        let role = name == "pt_ico" ? MediaRole.icon : .attachment
        guard var item = MediaReference(node, identifier: key, role: role) else { return nil }
        if isAlternative { item.use = .afterExpiry }
        return item
    }

    private static func isMediaItem(_ name: String) -> Bool {
        guard name.hasPrefix("pt_img") else { return mediaKeys.contains(name) }
        let number = name.utf8.dropFirst("pt_img".utf8.count)
        return !number.isEmpty && number.allSatisfy(\.isASCIIDigit)
    }
}

extension JSONNode {
    fileprivate var timestamp: Double? {
        guard let text, text.hasPrefix("$D_") else { return looseDouble }
        return JSONNode(.string(String(text.dropFirst(3)))).looseDouble
    }
}
