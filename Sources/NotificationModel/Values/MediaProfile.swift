/// What the receiving platform can show, as what, and how large. `docs/profiles.md` is the table for people.
///
/// Where a platform's documentation names no figure, it is that of `ios`.
package struct MediaProfile: Sendable, Equatable {
    package let name: String
    /// Whose media it shows where one payload speaks to several. `any`: those of each.
    package let platform: PushPlatform
    /// How what it shows as an attachment is made.
    package let attachment: MediaForm
    /// What it shows media as besides, and how they are made for it.
    private let others: [MediaRole: MediaForm]
    /// Most bytes of a sound.
    package let soundBytes = 5 << 20

    private init(name: String, platform: PushPlatform, attachment: MediaForm, others: [MediaRole: MediaForm] = [:]) {
        self.name = name
        self.platform = platform
        self.attachment = attachment
        self.others = others
    }

    /// The roles of media that the profile shows. An app lays a mask over its video itself, on every platform.
    package var roles: Set<MediaRole> { Set(others.keys).union([.attachment, .mask]) }

    /// Whether a notification shows the first attachment alone.
    package var showsOneAttachment: Bool { platform != .any }

    /// How a medium of this role is made. One that stands for an attachment is made as one.
    package func form(of role: MediaRole) -> MediaForm {
        role == .mask ? attachment.besideVideo : others[role] ?? attachment
    }

    /// The caps are those of `UNNotificationAttachment` (Apple, "UNNotificationAttachment", supported file types).
    package static let ios = MediaProfile(name: "ios", platform: .apns, attachment: .apple)

    /// The big picture is twice as wide as high (Google I/O 2012, session 105, "Images should be ≤ 450dp wide, ~2:1
    /// aspect"), and the system shows the middle of what is higher. A picture has at most 1 MB (Firebase, "Send an image
    /// in the notification payload"), which is less in decimal. The large icon is 64 dp (`notification_large_icon_width`),
    /// four pixels each on the densest screens. Videos are an app's own affair: the system shows none.
    package static let android = MediaProfile(
        name: "android", platform: .android, attachment: .bigImage, others: [.icon: .icon(side: 256)])

    /// An icon has 192 pixels (web.dev, "Displaying a notification"), a badge 96 and nothing but its alpha (MDN,
    /// "Notification: badge property"; 24 dp of four pixels, as Chromium's `kWebNotificationMaxBadgeSizePx`), an action's
    /// icon 128 (`kWebNotificationMaxActionIconSizePx`). Chromium scales `image` into 1,800 by 900. No cap is documented;
    /// this one is Android's.
    package static let web = MediaProfile(
        name: "web", platform: .webpush, attachment: .webImage,
        others: [.icon: .icon(side: 192), .badge: .badge, .actionIcon: .icon(side: 128)])

    /// The caps are those of `UNNotificationAttachment`, which is the same on watchOS. The sides are those of the screens:
    /// 396 by 484 pixels have 45 mm (Apple, "Human Interface Guidelines", "Layout"), and the largest little more.
    package static let watch = MediaProfile(name: "watch", platform: .apns, attachment: .watch)

    /// Every platform's media, in every role, all made as an attachment for `ios`.
    package static let original = MediaProfile(
        name: "original", platform: .any, attachment: .apple,
        others: [.icon: .apple, .badge: .apple, .actionIcon: .apple])

    /// Bytes of an attachment of this kind, at most.
    package func mostBytes(of kind: MediaFormat.Kind) -> Int {
        switch kind {
        case .picture: attachment.pictureBytes
        case .sound: soundBytes
        case .video: attachment.videoBytes
        }
    }

    package static let all = [ios, android, web, watch, original]

    package static func named(_ name: String) -> MediaProfile? { all.first { $0.name == name } }
}

extension MediaForm {
    fileprivate static let apple = MediaForm(pictureSide: 1_024, pictureBytes: 10 << 20, thumbnailSide: 256)

    fileprivate static let watch = {
        var form = MediaForm(pictureSide: 512, pictureBytes: 10 << 20, thumbnailSide: 256)
        form.videoSide = 512
        return form
    }()

    fileprivate static let bigImage = {
        var form = webImage
        form.leastAspect = 2
        return form
    }()

    fileprivate static let webImage = {
        var form = MediaForm(pictureSide: 1_024, pictureBytes: 1_000_000, thumbnailSide: 256)
        form.takesVideos = false
        return form
    }()

    fileprivate static let badge = {
        var form = icon(side: 96)
        form.isMask = true
        return form
    }()

    fileprivate static func icon(side: Int) -> MediaForm {
        var form = MediaForm(pictureSide: side, pictureBytes: 1_000_000)
        form.takesVideos = false
        return form
    }
}
