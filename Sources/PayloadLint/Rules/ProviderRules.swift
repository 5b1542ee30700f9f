import JSON
import NotificationModel
import NotificationProcessor

/// The rules for the payloads of single providers.
enum ProviderRules {
    static let all =
        NativeRules.all + TwoMeeRules.all + SendiosRules.all + ComapiRules.all + MatrixRules.all + AirshipRules.all
        + BrazeRules.all + CleverTapRules.all + FCMRules.all + WebPushRules.all + NtfyRules.all + EmbeddedRules.all
}

/// The rules for payloads of CleverTap.
enum CleverTapRules {
    static let all = [type]

    private static let type = LintRule(
        "clevertap-type-missing", .warning,
        "The payload has `ct_mediaUrl`, but no `ct_mediaType`. The vendor's extension then shows no media.",
        source: "The vendor's `CTNotificationService` reads both keys."
    ) { subject in
        let url = subject.payload["ct_mediaUrl"]
        guard subject.isRead(as: "clevertap"), url.text != nil, subject.payload["ct_mediaType"].text == nil else {
            return []
        }
        return [
            LintFlaw(
                url, "there is ct_mediaUrl, but no ct_mediaType", fix: "Add ct_mediaType: image, gif, video or audio")
        ]
    }
}

/// The rules for payloads of ntfy.
enum NtfyRules {
    static let all = [priority]

    private static let priority = LintRule(
        "ntfy-priority", .warning, "The priority is not a whole number from 1 to 5. The priority counts as 3.",
        source: "Source: ntfy, \"Publishing: message priority\"."
    ) { subject in
        let node = subject.payload["priority"]
        guard subject.isRead(as: "ntfy"), let value = node.value, value != .null,
            !(0...5).contains(node.looseInteger ?? -1)
        else { return [] }
        return [
            LintFlaw(
                node, "\(value.identifier.map { VisibleText.quoted($0) } ?? value.typeName) is not a priority",
                fix: "Write a number from 1 to 5")
        ]
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

    private static let reference = LintRule(
        "matrix-mxc", .error, "An `mxc` URL does not have the form `mxc://SERVER/ID`.",
        source:
            "Source: Matrix specification, \"Matrix Content (mxc://) URIs\". The appendices of the specification define server names."
    ) { subject in
        guard subject.isRead(as: "matrix") else { return [] }
        return subject.media.filter { $0.url.scheme == "mxc" && MatrixMedia($0.reference.url) == nil }.map { item in
            LintFlaw(
                item.path, "\(VisibleText.quoted(item.reference.url)) is not a Matrix reference",
                fix: "Write the mxc://SERVER/ID that the homeserver returned for the upload")
        }
    }
}
