import JSON
import NotificationModel
import NotificationProcessor

/// What single providers ask for, each in a file of its own.
enum ProviderRules {
    static let all =
        NativeRules.all + TwoMeeRules.all + SendiosRules.all + ComapiRules.all + MatrixRules.all + AirshipRules.all
        + BrazeRules.all + CleverTapRules.all + FCMRules.all + WebPushRules.all + NtfyRules.all + EmbeddedRules.all
}

/// CleverTap.
enum CleverTapRules {
    static let all = [type]

    private static let type = LintRule(
        "clevertap-type-missing", .warning,
        "`ct_mediaUrl` has no `ct_mediaType`: the vendor's own extension shows nothing.",
        source: "The vendor's `CTNotificationService`: it reads both."
    ) { subject in
        let url = subject.payload["ct_mediaUrl"]
        guard subject.isRead(as: "clevertap"), url.text != nil, subject.payload["ct_mediaType"].text == nil else {
            return []
        }
        return [LintFlaw(url, "ct_mediaUrl without ct_mediaType", fix: "Add ct_mediaType: image, gif, video or audio")]
    }
}

/// ntfy.
enum NtfyRules {
    static let all = [priority]

    private static let priority = LintRule(
        "ntfy-priority", .warning, "The priority is no whole number from 1 to 5: it is taken for 3.",
        source: "ntfy, \"Publishing: message priority\"."
    ) { subject in
        let node = subject.payload["priority"]
        guard subject.isRead(as: "ntfy"), let value = node.value, value != .null,
            !(0...5).contains(node.looseInteger ?? -1)
        else { return [] }
        return [
            LintFlaw(
                node, "\(value.identifier.map { VisibleText.quoted($0) } ?? value.typeName) is no priority",
                fix: "Write 1 to 5")
        ]
    }
}

/// Matrix and SDN.
enum MatrixRules {
    static let all = [reference, count]

    private static let count = LintRule.found(
        "matrix-count", .warning, "A count is no whole number from 0: it does not become the badge.",
        source: "Matrix specification, \"Push Gateway API\", `counts`. A text of digits is read as a number.")

    private static let reference = LintRule(
        "matrix-mxc", .error, "A reference is no `mxc://SERVER/ID`.",
        source: "Matrix specification, \"Matrix Content (mxc://) URIs\"; server names in the appendices."
    ) { subject in
        guard subject.isRead(as: "matrix") else { return [] }
        return subject.media.filter { $0.url.scheme == "mxc" && MatrixMedia($0.reference.url) == nil }.map { medium in
            LintFlaw(
                medium.path, "\(VisibleText.quoted(medium.reference.url)) is no Matrix reference",
                fix: "Write mxc://SERVER/ID, as the homeserver answered the upload")
        }
    }
}
