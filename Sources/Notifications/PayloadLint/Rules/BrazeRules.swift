import Base
import NotificationModel

enum BrazeRules {
    static let all = [pair, type]

    private static let page =
        "Source: Braze, \"Apple push object\". A payload with `asset_url` also needs `asset_file_type`. The type is aif, gif, jpg, m4a, mp3, mp4, png or wav."

    private static let pair = LintRule.each(
        places, "braze-type-missing", .error,
        "A media item has a URL without a type, or a type without a URL. The item is ignored.",
        source: page
    ) { place, _ in
        let (url, type) = place
        guard (url.text == nil) != (type.text == nil) else { return nil }
        return url.text == nil
            ? RuleFinding(
                type, "there is a type without a URL, so the media item is ignored", fix: "Add \(url.path.lastKey)")
            : RuleFinding(
                url, "there is a URL without a type, so the media item is ignored",
                fix: "Add \(type.path.lastKey), such as jpg")
    }

    private static let type = LintRule.each(
        places, "braze-type", .warning, "The type of a media item is not one of Braze's types.", source: page
    ) { place, _ in
        let known = ["aif", "gif", "jpg", "m4a", "mp3", "mp4", "png", "wav"]
        guard place.url.text != nil, let text = place.type.text, !known.contains(text) else { return nil }
        return RuleFinding(
            place.type, "\(VisibleText.quoted(text)) is not one of Braze's types",
            fix: "Write one of: \(known.joined(separator: ", "))")
    }

    private static func places(_ subject: LintSubject) -> [(url: JSONNode, type: JSONNode)] {
        guard subject.isRead(as: "braze") else { return [] }
        let (attachment, push) = (subject.payload["ab"]["att"], subject.payload["messages"]["apple_push"])
        return [(attachment["url"], attachment["type"]), (push["asset_url"], push["asset_file_type"])]
    }
}
