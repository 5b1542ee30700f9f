package import Base

/// A receiving platform: the roles in which it shows media, and the form and largest size of the media in each role.
/// The table in `docs/reference/profiles.md` has all profiles.
///
/// If a platform's documentation does not name a value, the value is that of `ios`.
package struct MediaProfile: Sendable, Equatable {
    package let name: String
    /// The platform whose media are used if a payload has media for several platforms. `any` uses all.
    package let platform: PushPlatform
    /// The form of media in the role of an attachment.
    package let attachment: MediaForm
    /// The forms of media in the other roles except masks. Media in a role without a form are not shown.
    private let others: [MediaRole: MediaForm]

    private init(name: String, platform: PushPlatform, attachment: MediaForm, others: [MediaRole: MediaForm] = [:]) {
        self.name = name
        self.platform = platform
        self.attachment = attachment
        self.others = others
    }

    /// The roles of media that the profile shows. All include masks, which apps apply to their videos.
    package var roles: Set<MediaRole> { Set(others.keys).union([.attachment, .mask]) }

    /// Whether a notification shows only its first attachment.
    package var showsOneAttachment: Bool { platform != .any }

    /// Returns the form of media in a role. A role without its own form has the form of an attachment.
    package func form(of role: MediaRole) -> MediaForm {
        role == .mask ? attachment.besideVideo : others[role] ?? attachment
    }

    /// The limits are those of `UNNotificationAttachment` (Apple, "UNNotificationAttachment", supported file types).
    /// HEVC is copied, because every device plays it since iOS 11 (Apple, "Using HEIF or HEVC media on Apple devices").
    package static let ios = MediaProfile(name: "ios", platform: .apns, attachment: .apple)

    /// The big picture is twice as wide as high (Google I/O 2012, session 105, "Images should be ≤ 450dp wide, ~2:1
    /// aspect"). The system crops a taller image to its middle. An image has at most 1 MB (Firebase, "Send an image in
    /// the notification payload"), taken as 1,000,000 bytes. The large icon is 64 dp (`notification_large_icon_width`),
    /// with four pixels for each dp on the densest screens. The system shows no videos. An app may show them, but a
    /// device must decode HEVC only up to level 3 (Android CDD, 5.3.5, H.265).
    package static let android = MediaProfile(
        name: "android", platform: .android, attachment: .bigImage, others: [.icon: .icon(side: 256)])

    /// An icon has 192 pixels a side (web.dev, "Displaying a notification"), and an action's icon has 128
    /// (`kWebNotificationMaxActionIconSizePx`). A badge has 96 pixels a side (24 dp with four pixels each, as
    /// Chromium's `kWebNotificationMaxBadgeSizePx`). Only the alpha of a badge is shown (MDN, "Notification: badge
    /// property"). Chromium scales `image` to at most 1,800 by 900 pixels. No size limit is documented, so the limit of
    /// Android is used. Browsers decode HEVC only with hardware support (MDN, "Web video codec guide").
    package static let web = MediaProfile(
        name: "web", platform: .webpush, attachment: .webImage,
        others: [.icon: .icon(side: 192), .badge: .badge, .actionIcon: .icon(side: 128)])

    /// The limits are those of `UNNotificationAttachment`, which is the same on watchOS. The sides are those of the
    /// screens. A watch of 45 mm has 396 by 484 pixels (Apple, "Human Interface Guidelines", "Layout"), and the largest
    /// watch has a few more pixels.
    package static let watch = MediaProfile(name: "watch", platform: .apns, attachment: .watch)

    /// The media of all platforms in all roles, each in the form of an attachment for `ios`.
    package static let original = MediaProfile(
        name: "original", platform: .any, attachment: .apple,
        others: [.icon: .apple, .badge: .apple, .actionIcon: .apple])

    /// Returns the largest size of an attachment of this kind, in bytes.
    package func maxBytes(of kind: MediaKind) -> Int {
        switch kind {
        case .image: attachment.imageBytes
        case .sound: attachment.soundBytes
        case .video: attachment.videoBytes
        }
    }

    package static let all = [ios, android, web, watch, original]

    package static func named(_ name: String) -> MediaProfile? { all.first { $0.name == name } }
}

extension MediaForm {
    fileprivate static let apple = MediaForm(
        imageSide: 1_024, imageBytes: 10 << 20, thumbnailSide: 256, copiesHEVC: true)

    fileprivate static let watch = MediaForm(
        imageSide: 512, imageBytes: 10 << 20, thumbnailSide: 256, copiedVideoSide: 512, copiesHEVC: true,
        videoSide: 512)

    fileprivate static let bigImage = MediaForm(
        imageSide: 1_024, imageBytes: 1_000_000, thumbnailSide: 256, minAspect: 2, takesVideos: false,
        takesAnimations: false)

    fileprivate static let webImage = MediaForm(
        imageSide: 1_024, imageBytes: 1_000_000, thumbnailSide: 256, takesVideos: false, takesWebAnimations: true)

    fileprivate static let badge = MediaForm(
        imageSide: 96, imageBytes: 1_000_000, isMask: true, takesVideos: false, takesAnimations: false)

    fileprivate static func icon(side: Int) -> MediaForm {
        MediaForm(imageSide: side, imageBytes: 1_000_000, takesVideos: false, takesAnimations: false)
    }
}
