import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests that each media item has the form of its role, within the limits of the push service.
@Suite(.timeLimit(.minutes(1))) struct MediaFormTests {
    private static let fcm = """
        {"message":{"notification":{"title":"t","image":"https://a.example/any"},
         "webpush":{"notification":{"icon":"https://a.example/icon","badge":"https://a.example/badge",
          "actions":[{"action":"a","title":"A","icon":"https://a.example/action"}]}}}}
        """

    private func forms(_ payload: String, _ profile: MediaProfile) async throws -> [String: MediaForm] {
        let bench = PipelineBench()
        try await bench.process(bench.request(payload) { $0.profile = profile })
        return Dictionary(
            bench.transcoder.calls.map { ($0.source.declaredType ?? "", $0.form) }, uniquingKeysWith: { $1 })
    }

    @Test func `each image for a browser has the image form of its role`() async throws {
        #expect(
            try await forms(Self.fcm, .web) == [
                "https://a.example/any": MediaProfile.web.attachment,
                "https://a.example/icon": MediaProfile.web.form(of: .icon),
                "https://a.example/badge": MediaProfile.web.form(of: .badge),
                "https://a.example/action": MediaProfile.web.form(of: .actionIcon),
            ])
    }

    @Test(arguments: [
        (MediaProfile.ios, 300_000), (.watch, 300_000), (.android, 1_000_000), (.web, 1_000_000),
        (.original, 10_485_760),
    ])
    func `Firebase's size limit applies to images for Apple's platforms`(profile: MediaProfile, bytes: Int)
        async throws
    {
        #expect(try await forms(Self.fcm, profile)["https://a.example/any"]?.imageBytes == bytes)
    }

    @Test func `images of other providers do not have Firebase's size limit`() async throws {
        let forms = try await forms(#"{"aps":{"alert":"B"},"media":[{"url":"https://a.example/1"}]}"#, .ios)
        #expect(forms["https://a.example/1"] == MediaProfile.ios.attachment)
    }
}
