import NotificationModel

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
