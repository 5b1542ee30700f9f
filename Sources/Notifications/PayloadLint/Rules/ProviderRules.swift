import Base
import NotificationModel
import NotificationProcessor

/// The rules for the payloads of single providers.
enum ProviderRules {
    static let all =
        NativeRules.all + TwoMeeRules.all + SendiosRules.all + ComapiRules.all + MatrixRules.all + AirshipRules.all
        + BrazeRules.all + CleverTapRules.all + FCMRules.all + WebPushRules.all + NtfyRules.all + EmbeddedRules.all
}

enum CleverTapRules {
    static let all = [type]

    private static let type = LintRule.single(
        "clevertap-type-missing", .warning,
        "The payload has `ct_mediaUrl`, but no `ct_mediaType`. The vendor's extension then shows no media.",
        source: "The vendor's `CTNotificationService` reads both keys."
    ) { subject in
        let url = subject.payload["ct_mediaUrl"]
        guard subject.isRead(as: "clevertap"), url.text != nil, subject.payload["ct_mediaType"].text == nil else {
            return nil
        }
        return RuleFinding(
            url, "there is ct_mediaUrl, but no ct_mediaType", fix: "Add ct_mediaType: image, gif, video or audio")
    }
}

enum NtfyRules {
    static let all = [priority]

    private static let priority = LintRule.single(
        "ntfy-priority", .warning, "The priority is not a whole number from 1 to 5. The priority counts as 3.",
        source: "Source: ntfy, \"Publishing: message priority\"."
    ) { subject in
        let node = subject.payload["priority"]
        guard subject.isRead(as: "ntfy"), let value = node.value, value != .null,
            !(0...5).contains(node.looseInteger ?? -1)
        else { return nil }
        return RuleFinding(
            node, "\(value.identifier.map { VisibleText.quoted($0) } ?? value.typeName) is not a priority",
            fix: "Write a number from 1 to 5")
    }
}

/// The rules for payloads of Matrix and of SDN, which uses the format of Matrix.
enum MatrixRules {
    static let all = [reference, count, tweaks]

    private static let count = LintRule.found(
        "matrix-count", .warning,
        "A count in `counts` is not a whole number of 0 or more. The count does not become the badge.",
        source: "Source: Matrix specification, \"Push Gateway API\", `counts`. A string of digits is read as a number.")

    private static let tweaks = LintRule.found(
        "matrix-tweaks", .warning,
        "The `tweaks` of the devices differ. All devices get the first sound, and a highlight only if all devices have it.",
        source: "Source: Matrix specification, \"Push Gateway API\". Homeservers send one device in each notification.")

    private static let reference = LintRule.each(
        \.media, "matrix-mxc", .error, "An `mxc` URL does not have the form `mxc://SERVER/ID`.",
        source:
            "Source: Matrix specification, \"Matrix Content (mxc://) URIs\". The appendices of the specification define server names."
    ) { item, _ in
        guard item.isMatrix, MatrixMedia(item.reference.url) == nil else { return nil }
        return RuleFinding(
            item.path, "\(VisibleText.quoted(item.reference.url)) is not a Matrix reference",
            fix: "Write the mxc://SERVER/ID that the homeserver returned for the upload")
    }
}

enum AirshipRules {
    static let all = [crop, emptyURLs, thumbnail]

    private static let page = "Source: the vendor's iOS SDK, `MediaAttachmentPayload`."

    private static let crop = LintRule.single(
        "airship-crop", .error,
        "`crop` lacks one of its four numbers, or a number is not from 0 to 1. All options of the attachment are ignored.",
        source: page
    ) { subject in
        let node = attachment(subject)["options"]["crop"]
        guard let value = node.value, value != .null, Rectangle<Double>(node) == nil else { return nil }
        return RuleFinding(
            node, "crop is not a rectangle with x, y, width and height from 0 to 1, so all options are ignored",
            fix: "Write all four numbers, each from 0 to 1")
    }

    private static let emptyURLs = LintRule.single(
        "airship-empty-urls", .warning, "`urls` is empty and takes precedence over `url`, so there are no media.",
        source: page
    ) { subject in
        let attachment = attachment(subject)
        guard attachment["urls"].array?.isEmpty == true, attachment["url"].exists else { return nil }
        return RuleFinding(attachment["urls"], "urls is empty, and takes precedence over url", fix: "Remove urls")
    }

    private static let thumbnail = LintRule.single(
        "airship-thumbnail", .warning,
        "No media item has the `url_id` that `thumbnail_id` names, so every thumbnail is hidden.",
        source: page
    ) { subject in
        let node = attachment(subject)["thumbnail_id"]
        guard let id = node.text, !subject.media.isEmpty,
            !subject.media.contains(where: { $0.reference.identifier == id })
        else { return nil }
        return RuleFinding(
            node, "no media item has the url_id \(VisibleText.quoted(id))",
            fix: "Write the url_id of an element of urls")
    }

    private static func attachment(_ subject: LintSubject) -> JSONNode {
        guard subject.isRead(as: "airship") else { return JSONNode(JSONValue?.none) }
        return subject.payload["com.urbanairship.media_attachment"]
    }
}

enum ComapiRules {
    static let all = [partType, eventName, textMissing]

    private static let textMissing = LintRule.found(
        "comapi-text-missing", .warning, "A message has neither an alert nor a text, so the notification is empty.",
        source: "See docs/use/dialects.md, `comapi`.")

    private static let eventName = LintRule.found(
        "comapi-event-name", .warning,
        "The name of an event is probably misspelt. appgroupd reads the event under the correct name, but the app does not know the misspelt name.",
        source: "Source: \"Available events\" in the vendor's iOS guide.")

    private static let partType = LintRule(
        "comapi-part-type", .error, "A part of the message has no `type`.",
        source: "In the vendor's message format, each part has its MIME type in `type`."
    ) { subject in
        guard subject.isRead(as: "comapi") else { return [] }
        let places = [subject.payload["parts"], subject.payload["payload"]["parts"]]
        return places.flatMap(\.elements).filter { $0.object != nil && $0["type"].text == nil }.map { part in
            RuleFinding(part, "the part has no type", fix: "Add \"type\": \"text/plain\", or the MIME type of the file")
        }
    }
}

/// The rule for strings that must be JSON.
enum EmbeddedRules {
    static let all = [embedded]

    /// The keys whose strings must be JSON. Their values can also be objects, which are not checked here.
    private static let places: [(dialect: String, key: String)] = [
        ("clevertap", "pt_json"), ("clevertap", "ct_ContentSlider"), ("clevertap", "wzrk_acts"), ("batch", "com.batch"),
        ("emarsys", "u"), ("ntfy", "actions"), ("mixpanel", "mp_buttons"), ("mixpanel", "mp_ontap"), ("countly", "c.b"),
        ("bloomreach", "actions"), ("blueshift", "message"), ("sns", "APNS"), ("sns", "APNS_SANDBOX"), ("sns", "GCM"),
    ]

    private static let embedded = LintRule(
        "embedded-json", .error, "A string that must be JSON is not JSON. The values in the string are lost.",
        source:
            "The strings are CleverTap's `pt_json`, `ct_ContentSlider` and `wzrk_acts`, Batch's `com.batch`, Emarsys' `u`, Iterable's `itbl`, ntfy's `actions`, Mixpanel's `mp_buttons` and `mp_ontap`, Countly's `c.b`, Bloomreach's `actions`, Blueshift's `message`, and `APNS`, `APNS_SANDBOX` and `GCM` of Amazon SNS."
    ) { subject in
        let keys = places.filter { subject.isRead(as: .init($0.dialect)) }.map(\.key)
        // The key `itbl` is checked in every payload, because no dialect recognises a payload whose `itbl` is not JSON.
        return (keys + ["itbl"]).map { subject.payload[$0] }.compactMap { node in
            guard let text = node.text else { return nil }
            do throws(JSONSyntaxError) {
                _ = try JSONParser.value(of: text)
                return nil
            } catch {
                return RuleFinding(
                    node, "the string is not JSON: \(error)",
                    fix: "Write the value with a JSON library, and put the result into the string")
            }
        }
    }
}
