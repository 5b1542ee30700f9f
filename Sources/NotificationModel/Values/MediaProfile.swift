/// What the receiving platform can show, and how large.
///
/// Sizes are pixels of the longest side after orientation; caps are bytes. Where a platform's documentation names no
/// figure, it is that of `ios`.
package struct MediaProfile: Sendable, Equatable {
    package let name: String
    /// Whose media it shows where one payload speaks to several. `any`: those of each.
    package let platform: PushPlatform
    /// What it shows media as.
    package let roles: Set<MediaRole>
    package let pictureSide: Int
    package let videoSide: Int
    package let thumbnailSide: Int
    package let pictureBytes: Int
    package let soundBytes: Int
    package let videoBytes: Int

    private init(
        name: String, platform: PushPlatform, roles: Set<MediaRole>, pictureSide: Int = 1_024, videoSide: Int = 1_280,
        pictureBytes: Int = 10 << 20
    ) {
        self.name = name
        self.platform = platform
        self.roles = roles
        self.pictureSide = pictureSide
        self.videoSide = videoSide
        thumbnailSide = 256
        self.pictureBytes = pictureBytes
        soundBytes = 5 << 20
        videoBytes = 50 << 20
    }

    /// The caps are those of `UNNotificationAttachment` (Apple, "UNNotificationAttachment", supported file types).
    package static let ios = MediaProfile(name: "ios", platform: .apns, roles: [.attachment])

    /// A picture has at most 1 MB (Firebase, "Send an image in the notification payload"), which is less in decimal.
    /// Sounds and videos are an app's own affair: the system shows none.
    package static let android = MediaProfile(
        name: "android", platform: .android, roles: [.attachment, .icon], pictureBytes: 1_000_000)

    /// Browsers document sizes of few pictures: a badge has 96 pixels (MDN, "Notification: badge property"). What
    /// Chromium scales down to as soon as it has it is 1,800 by 900 for `image`, 320 for `icon`, 96 for `badge` and 128
    /// for an action's icon (`web_notification_constants.h`). All roles have the one `pictureSide` here. No cap is
    /// documented; this one is Android's.
    package static let web = MediaProfile(
        name: "web", platform: .webpush, roles: [.attachment, .icon, .badge, .actionIcon], pictureBytes: 1_000_000)

    /// The caps are those of `UNNotificationAttachment`, which is the same on watchOS. The sides are those of the screens:
    /// 396 by 484 pixels have 45 mm (Apple, "Human Interface Guidelines", "Layout"), and the largest little more.
    package static let watch = MediaProfile(
        name: "watch", platform: .apns, roles: [.attachment], pictureSide: 512, videoSide: 512)

    /// Every platform's media, in every role. They are made as for `ios`, and nothing is larger than it allows.
    package static let original = MediaProfile(
        name: "original", platform: .any, roles: [.attachment, .icon, .badge, .actionIcon])

    /// Bytes of a file of this kind, at most.
    package func mostBytes(of kind: MediaFormat.Kind) -> Int {
        switch kind {
        case .picture: pictureBytes
        case .sound: soundBytes
        case .video: videoBytes
        }
    }

    package static let all = [ios, android, web, watch, original]

    package static func named(_ name: String) -> MediaProfile? { all.first { $0.name == name } }
}
