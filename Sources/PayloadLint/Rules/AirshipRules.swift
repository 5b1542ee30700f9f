import JSON
import MediaTypes
import NotificationModel
import NotificationProcessor

/// The rules for payloads of Airship.
enum AirshipRules {
    static let all = [crop, emptyURLs, thumbnail]

    private static let page = "Source: the vendor's iOS SDK, `MediaAttachmentPayload`."

    private static let crop = LintRule(
        "airship-crop", .error,
        "`crop` lacks one of its four numbers, or a number is not from 0 to 1. All options of the attachment are ignored.",
        source: page
    ) { subject in
        let node = attachment(subject)["options"]["crop"]
        guard let value = node.value, value != .null, Rectangle<Double>(node) == nil else { return [] }
        return [
            LintFlaw(
                node, "crop is not a rectangle with x, y, width and height from 0 to 1, so all options are ignored",
                fix: "Write all four numbers, each from 0 to 1")
        ]
    }

    private static let emptyURLs = LintRule(
        "airship-empty-urls", .warning, "`urls` is empty and takes precedence over `url`, so there are no media.",
        source: page
    ) { subject in
        let attachment = attachment(subject)
        guard attachment["urls"].array?.isEmpty == true, attachment["url"].exists else { return [] }
        return [LintFlaw(attachment["urls"], "urls is empty, and takes precedence over url", fix: "Remove urls")]
    }

    private static let thumbnail = LintRule(
        "airship-thumbnail", .warning,
        "No media item has the `url_id` that `thumbnail_id` names, so every thumbnail is hidden.",
        source: page
    ) { subject in
        let node = attachment(subject)["thumbnail_id"]
        guard let id = node.text, !subject.media.isEmpty,
            !subject.media.contains(where: { $0.reference.identifier == id })
        else { return [] }
        return [
            LintFlaw(
                node, "no media item has the url_id \(VisibleText.quoted(id))",
                fix: "Write the url_id of an element of urls")
        ]
    }

    private static func attachment(_ subject: LintSubject) -> JSONNode {
        guard subject.isRead(as: "airship") else { return JSONNode(JSONValue?.none) }
        return subject.payload["com.urbanairship.media_attachment"]
    }
}
