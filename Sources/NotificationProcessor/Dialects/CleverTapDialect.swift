import FoundationEssentials
package import JSON
package import NotificationModel

/// The dialect of CleverTap. Its media are one item (`ct_mediaUrl`), a slider (`ct_ContentSlider`), or a template of
/// many `pt_` keys.
///
/// The keys are those that the public `CTNotificationContent` lists. `CTNotificationContent` is also the source for the
/// end of a timer.
package struct CleverTapDialect: Dialect {
    package let id: DialectID = "clevertap"
    package var marks: [[String]] { [["ct_mediaUrl"], ["wzrk_id"]] }

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        let prefixes = ["ct_", "wzrk_", "pt_"]
        let members = payload.object.members
        return prefixes.first { prefix in members.contains { $0.key.hasPrefix(prefix) } }.map { $0 + "*" }
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
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
        reading.actions = Self.actions(payload["wzrk_acts"])
        if let link = payload["wzrk_dl"].text ?? template.link { reading.details.append("link", .string(link)) }
        if let name = template["pt_id"].text { reading.details.append("template", .string(name)) }
        return reading
    }

    /// Returns the media in the payload's order. Media in `pt_json` have the position of `pt_json`.
    private static func media(of payload: JSONNode, _ template: CleverTapTemplate) -> [MediaReference] {
        payload.members.flatMap { key, node in
            switch key {
            case "ct_mediaUrl":
                [item(node, type: payload["ct_mediaType"])].compactMap(\.self)
            case "ct_ContentSlider": json(node)["items"].elements.compactMap { MediaReference($0["imageUrl"]) }
            case "pt_json": node.embedded.members.compactMap { template.item($0.key, $0.node) }
            default: [template.item(key, node)].compactMap(\.self)
            }
        }
    }

    private static func item(_ url: JSONNode, type node: JSONNode) -> MediaReference? {
        var item = MediaReference(url, declaredType: node.text.map(type))
        item?.claims = [MediaClaim.classOfType(node)].compactMap(\.self)
        return item
    }

    /// Returns the declared type: one of the vendor's names for kinds of media, or a MIME type, which some senders
    /// write.
    private static func type(_ name: String) -> DeclaredMediaType {
        name.contains("/") ? .mimeType(name) : .mediaClass(name)
    }

    /// Returns the buttons, whose titles are in `l`. The list may be a string, like all values of a push through FCM.
    private static func actions(_ node: JSONNode) -> [NotificationAction] {
        json(node).elements.compactMap { NotificationAction($0, identifier: "id", title: "l") }
    }

    private static func json(_ node: JSONNode) -> JSONNode { node.string == nil ? node : node.embedded }
}
