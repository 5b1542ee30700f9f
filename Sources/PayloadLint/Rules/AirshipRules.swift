import JSON
import NotificationModel

/// Airship.
enum AirshipRules {
    static let all = [crop, emptyURLs, thumbnail]

    private static let page = "The vendor's iOS SDK, `MediaAttachmentPayload`."

    private static let crop = LintRule(
        "airship-crop", .error, "The crop lacks a side, or a side is not 0…1: all options are thrown away.",
        source: page
    ) { subject in
        let node = attachment(subject)["options"]["crop"]
        guard let value = node.value, value != .null, !UnitRectangle.isOne(node) else { return [] }
        return [
            LintFlaw(
                node, "crop is no rectangle with x, y, width and height, each from 0 to 1; all options are thrown away",
                fix: "Write all four, each from 0 to 1")
        ]
    }

    private static let emptyURLs = LintRule(
        "airship-empty-urls", .warning, "`urls` is empty and goes before `url`: there are no media.", source: page
    ) { subject in
        let attachment = attachment(subject)
        guard attachment["urls"].array?.isEmpty == true, attachment["url"].exists else { return [] }
        return [LintFlaw(attachment["urls"], "urls is empty, and goes before url", fix: "Take urls out")]
    }

    private static let thumbnail = LintRule(
        "airship-thumbnail", .warning,
        "`thumbnail_id` is the `url_id` of none of the media: every thumbnail is hidden.",
        source: page
    ) { subject in
        let node = attachment(subject)["thumbnail_id"]
        guard let id = node.text, !subject.media.isEmpty,
            !subject.media.contains(where: { $0.reference.identifier == id })
        else { return [] }
        return [
            LintFlaw(node, "no medium has the url_id \(VisibleText.quoted(id))", fix: "Write the url_id of one of urls")
        ]
    }

    private static func attachment(_ subject: LintSubject) -> JSONNode {
        guard subject.isRead(as: "airship") else { return JSONNode(JSONValue?.none) }
        return subject.payload["com.urbanairship.media_attachment"]
    }
}
