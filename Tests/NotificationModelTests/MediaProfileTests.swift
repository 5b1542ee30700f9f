import NotificationModel
import Testing

@Suite struct MediaProfileTests {
    @Test func `the profiles are the published set, and each is found by its name`() {
        #expect(MediaProfile.all.map(\.name) == ["ios", "android", "web", "watch", "original"])
        #expect(MediaProfile.all.allSatisfy { MediaProfile.named($0.name) == $0 })
        #expect(MediaProfile.named("iOS") == nil)
    }

    @Test(arguments: [
        (MediaProfile.ios, PushPlatform.apns, [MediaRole.attachment], 1_024, 10_485_760),
        (.android, .android, [.attachment, .icon], 1_024, 1_000_000),
        (.web, .webpush, [.attachment, .icon, .badge, .actionIcon], 1_024, 1_000_000),
        (.watch, .apns, [.attachment], 512, 10_485_760),
        (.original, .any, [.attachment, .icon, .badge, .actionIcon], 1_024, 10_485_760),
    ])
    func `whose media a profile shows, as what and how large`(
        profile: MediaProfile, platform: PushPlatform, roles: [MediaRole], side: Int, bytes: Int
    ) {
        #expect(profile.platform == platform)
        #expect(profile.roles == Set(roles))
        #expect(profile.pictureSide == side)
        #expect(profile.pictureBytes == bytes)
    }

    @Test(arguments: MediaProfile.all)
    func `nothing is made larger than an iPhone takes`(profile: MediaProfile) {
        let ios = MediaProfile.ios
        let sizes: [KeyPath<MediaProfile, Int>] = [
            \.pictureSide, \.videoSide, \.thumbnailSide, \.pictureBytes, \.soundBytes, \.videoBytes,
        ]
        #expect(sizes.allSatisfy { (1...ios[keyPath: $0]).contains(profile[keyPath: $0]) })
        #expect(profile.thumbnailSide <= profile.pictureSide)
    }

    @Test func `an iPhone's sizes are Apple's, and the published sides`() {
        let ios = MediaProfile.ios
        #expect([ios.pictureSide, ios.videoSide, ios.thumbnailSide] == [1_024, 1_280, 256])
        #expect([ios.pictureBytes, ios.soundBytes, ios.videoBytes] == [10 << 20, 5 << 20, 50 << 20])
    }
}
