import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

@Suite struct ProfileFilterPlainTests {
    /// Returns references from a short form: the role of each, and its platform after a colon.
    private static func references(_ text: String) throws -> [MediaReference] {
        try text.split(separator: " ").map { word in
            let parts = word.split(separator: ":").map(String.init)
            let role = try #require(MediaRole(rawValue: parts[0]))
            return MediaReference(url: "u", role: role, platform: parts.dropFirst().first.flatMap(PushPlatform.init))
        }
    }

    private static func shown(_ references: [MediaReference], by profile: MediaProfile) -> String {
        references.indices.map { index in
            let refusal = ProfileFilter.refusal(of: index, among: references, profile: profile)
            #expect(refusal == nil || refusal?.reason == .otherProfile)
            let isFallback = ProfileFilter.isFallback(index, among: references, profile: profile)
            return refusal == nil && !isFallback ? "+" : "-"
        }.joined()
    }

    /// Each string has one character for each reference: `+` if the profile shows the reference, and `-` if it does
    /// not. The profiles are `ios`, `android`, `web`, `watch` and `original`.
    @Test(arguments: [
        ("attachment", "+", "+", "+", "+", "+"),
        ("attachment attachment", "++", "++", "++", "++", "++"),
        ("icon badge action-icon", "---", "+--", "+++", "---", "+++"),
        ("attachment:apns attachment:android attachment:webpush", "+--", "-+-", "--+", "+--", "+++"),
        ("attachment:any", "+", "+", "+", "+", "+"),
        ("attachment:any attachment:apns", "-+", "+-", "+-", "-+", "++"),
        ("attachment:any attachment:android", "+-", "-+", "+-", "+-", "++"),
        ("attachment:webpush attachment:any", "-+", "-+", "+-", "-+", "++"),
        // Another role of the profile's own platform has no effect.
        ("attachment:any icon:webpush icon:android", "+--", "+-+", "++-", "+--", "+++"),
        ("icon:any icon:webpush", "--", "+-", "-+", "--", "++"),
        ("icon:apns badge:apns", "--", "--", "--", "--", "++"),
        // A thumbnail is shown only if the profile shows no attachment.
        ("thumbnail", "+", "+", "+", "+", "+"), ("thumbnail thumbnail", "++", "++", "++", "++", "++"),
        ("attachment thumbnail", "+-", "+-", "+-", "+-", "+-"),
        ("thumbnail attachment", "-+", "-+", "-+", "-+", "-+"),
        ("thumbnail icon", "+-", "++", "++", "+-", "++"),
        ("thumbnail attachment:android", "+-", "-+", "+-", "+-", "-+"),
        ("thumbnail:android attachment:apns", "-+", "+-", "--", "-+", "-+"),
        ("thumbnail attachment:any", "-+", "-+", "-+", "-+", "-+"),
    ])
    func `the filter of a profile selects the references for the profile's platform and roles`(
        text: String, ios: String, android: String, web: String, watch: String, original: String
    ) throws {
        let references = try Self.references(text)
        #expect(MediaProfile.all.map { Self.shown(references, by: $0) } == [ios, android, web, watch, original])
    }

    /// The first image is for any platform. Each platform's own image takes precedence over it.
    @Test(arguments: [
        ("ios", "--+----"), ("android", "-+-----"), ("web", "---++++"), ("watch", "--+----"), ("original", "+++++++"),
    ])
    func `the filter selects the images for each profile in the sample for FCM`(name: String, shown: String) throws {
        let payload = try #require(try JSONParser.value(of: Fixtures.bytes("payloads/fcm-http-v1.json")).object)
        let profile = try #require(MediaProfile.named(name))
        #expect(Self.shown(DialectTable.standard.read(payload).media, by: profile) == shown)
    }

    @Test(
        arguments: [
            (0, "the item is for android, and the profile ios is for apns"),
            (1, "the payload has its own attachment for apns, which takes precedence"), (2, nil),
            (3, "the profile ios shows no action-icon"), (4, nil),
        ] as [(Int, String?)])
    func `the detail of a refusal names the platforms or the role`(index: Int, detail: String?) throws {
        let references = try Self.references(
            "attachment:android attachment:any attachment:apns action-icon thumbnail")
        let refusal = ProfileFilter.refusal(of: index, among: references, profile: .ios)
        #expect(refusal == detail.map { MediaFailure(.otherProfile, $0) })
    }

    @Test func `media beyond the maximum number do not affect the other media`() throws {
        var references = Array(repeating: MediaReference(url: "u", role: .thumbnail), count: MediaPlan.maxMedia)
        references[1] = MediaReference(url: "u", role: .icon, platform: .any)
        references.append(MediaReference(url: "u"))
        references.append(MediaReference(url: "u", role: .icon, platform: .android))
        #expect(ProfileFilter.refusal(of: 0, among: references, profile: .android) == nil)
        #expect(ProfileFilter.refusal(of: 1, among: references, profile: .android) == nil)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [MediaRole.attachment, .thumbnail])
    func `a hundred thousand media are filtered within a minute`(role: MediaRole) {
        let references = Array(repeating: MediaReference(url: "u", role: role, platform: .any), count: 100_000)
        #expect(
            references.indices.allSatisfy { ProfileFilter.refusal(of: $0, among: references, profile: .web) == nil })
    }
}
