import Base
import NotificationModel
import Testing

@Suite struct MediaProfileTests {
    @Test func `the program has exactly the published profiles, and each profile is found by its name`() {
        #expect(MediaProfile.all.map(\.name) == ["ios", "android", "web", "watch", "original"])
        #expect(MediaProfile.all.allSatisfy { MediaProfile.named($0.name) == $0 })
        #expect(MediaProfile.named("iOS") == nil)
    }

    @Test(arguments: [
        (MediaProfile.ios, PushPlatform.apns, [MediaRole.attachment]), (.android, .android, [.attachment, .icon]),
        (.web, .webpush, [.attachment, .icon, .badge, .actionIcon]), (.watch, .apns, [.attachment]),
        (.original, .any, [.attachment, .icon, .badge, .actionIcon]),
    ])
    func `a profile has a platform and roles`(profile: MediaProfile, platform: PushPlatform, roles: [MediaRole]) {
        #expect(profile.platform == platform)
        #expect(profile.roles == Set(roles).union([.mask]))
        // A thumbnail in the payload can replace an attachment.
        #expect(profile.form(of: .thumbnail) == profile.attachment)
        #expect(profile.form(of: .attachment) == profile.attachment)
    }

    @Test(arguments: [
        (MediaProfile.ios, MediaRole.attachment, 1_024, 10_485_760, 256),
        (.android, .attachment, 1_024, 1_000_000, 256),
        (.android, .icon, 256, 1_000_000, 0), (.web, .attachment, 1_024, 1_000_000, 256),
        (.web, .icon, 192, 1_000_000, 0), (.web, .badge, 96, 1_000_000, 0), (.web, .actionIcon, 128, 1_000_000, 0),
        (.watch, .attachment, 512, 10_485_760, 256), (.original, .attachment, 1_024, 10_485_760, 256),
        (.original, .icon, 1_024, 10_485_760, 256), (.ios, .mask, 1_920, 10_485_760, 0),
        (.android, .mask, 1_920, 1_000_000, 0), (.watch, .mask, 512, 10_485_760, 0),
    ])
    func `each role of a profile has the published image sizes`(
        profile: MediaProfile, role: MediaRole, side: Int, bytes: Int, thumbnail: Int
    ) {
        let form = profile.form(of: role)
        #expect(form.imageSide == side)
        #expect(form.imageBytes == bytes)
        #expect(form.thumbnailSide ?? 0 == thumbnail)
    }

    @Test func `only images for Android are cropped, only the web badge is a mask, and no browser shows a video`() {
        let forms = MediaProfile.all.flatMap { profile in
            MediaRole.allCases.map { ("\(profile.name) \($0.rawValue)", profile.form(of: $0)) }
        }
        let cut = forms.filter { $0.1.minAspect != nil }
        #expect(
            cut.map(\.0).sorted()
                == ["android attachment", "android badge", "android action-icon", "android thumbnail"].sorted())
        #expect(cut.allSatisfy { $0.1.minAspect == 2 })
        #expect(forms.filter(\.1.isMask).map(\.0) == ["web badge"])
        #expect(forms.filter { $0.1.takesWebAnimations }.allSatisfy { $0.0.hasPrefix("web") && $0.1.takesAnimations })
        #expect(forms.filter { !$0.1.takesVideos }.allSatisfy { $0.0.hasPrefix("web") || $0.0.hasPrefix("android") })
    }

    @Test func `only profiles of Apple devices copy HEVC`() {
        let copying = MediaProfile.all.filter { $0.attachment.copiesHEVC }
        #expect(copying.map(\.name) == ["ios", "watch", "original"])
    }

    @Test(arguments: MediaProfile.all, MediaRole.allCases)
    func `no profile exceeds the sizes of an iPhone`(profile: MediaProfile, role: MediaRole) {
        let (ios, form) = (MediaProfile.ios.attachment, profile.form(of: role))
        let sizes: [KeyPath<MediaForm, Int>] = [
            \.imageSide, \.videoSide, \.copiedVideoSide, \.imageBytes, \.videoBytes,
        ]
        for size in sizes {
            // A mask may be as large as its video.
            let most = role == .mask && size == \.imageSide ? ios.copiedVideoSide : ios[keyPath: size]
            #expect((1...most).contains(form[keyPath: size]))
        }
        #expect(form.thumbnailSide ?? 1 <= form.imageSide)
    }

    @Test func `the profile ios has Apple's limits of file sizes and the published side lengths`() {
        let ios = MediaProfile.ios
        #expect(
            [ios.attachment.imageSide, ios.attachment.videoSide, ios.attachment.thumbnailSide] == [1_024, 1_280, 256])
        #expect(ios.attachment.copiedVideoSide == 1_920)
        #expect([.image, .sound, .video].map(ios.maxBytes) == [10 << 20, 5 << 20, 50 << 20])
    }

    @Test func `the operator's longest side of videos applies to all profiles except the watch`() {
        var preferences = MediaPreferences()
        for (side, copied, made) in [(3_840, 3_840, 1_280), (1_920, 1_920, 1_280), (720, 720, 720)] {
            preferences.videoSide = side
            let form = MediaProfile.ios.attachment.preferring(preferences)
            #expect([form.copiedVideoSide, form.videoSide] == [copied, made])
            let watch = MediaProfile.watch.attachment.preferring(preferences)
            #expect([watch.copiedVideoSide, watch.videoSide] == [512, 512])
        }
    }

    @Test func `a limit of the push service applies if it is less than the limit of the profile`() {
        #expect(MediaProfile.ios.attachment.holding(300_000).imageBytes == 300_000)
        #expect(MediaProfile.android.attachment.holding(2_000_000) == MediaProfile.android.attachment)
        #expect(MediaProfile.ios.attachment.holding(nil) == MediaProfile.ios.attachment)
    }
}
