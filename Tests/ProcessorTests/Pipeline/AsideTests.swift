import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of files with `aside`, which the app shows in its own view and not as attachments.
@Suite(.timeLimit(.minutes(1))) struct AsideTests {
    private func attachments(
        of payload: String, aside: Bool, profile: MediaProfile = .ios
    ) async throws -> [NotificationAttachment] {
        var settings = DialectTable.Settings()
        settings.twoMee.putsImagesAside = aside
        let bench = PipelineBench(rules: PayloadRules(dialects: DialectTable(settings)))
        let notification = try #require(
            try await bench.process(bench.request(payload) { $0.profile = profile }).first)
        #expect(notification.outcome == .rich)
        #expect(notification.text.body == "B")
        return notification.attachments
    }

    private static let image =
        #"{"aps":{"alert":"B"},"appear2mee":{"kind":"image","urls":["https://a.example/1.jpg"],"fbText":"F"}}"#

    @Test(arguments: [false, true])
    func `the setting of 2mee decides whether an image has aside set or is attached`(aside: Bool) async throws {
        #expect(try await attachments(of: Self.image, aside: aside).map(\.isAside) == [aside])
    }

    @Test func `the setting of 2mee does not change the images of other senders`() async throws {
        let payload = SamplePayloads.plain.replacing("Look", with: "B")
        #expect(try await attachments(of: payload, aside: true).map(\.isAside) == [false])
    }

    @Test(arguments: MediaProfile.all)
    func `a mask has aside set in each profile that shows one attachment`(profile: MediaProfile) async throws {
        let media = #"{"url":"https://a.example/1"},{"url":"https://a.example/2","role":"mask"}"#
        let payload = #"{"body":"B","media":[\#(media)]}"#
        let attachments = try await attachments(of: payload, aside: false, profile: profile)
        #expect(attachments.map(\.role) == [.attachment, .mask])
        #expect(attachments.map(\.isAside) == [false, profile != .original])
    }
}
