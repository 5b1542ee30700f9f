import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MaskSizeTests {
    private static let video = "https://a.example/coach.mp4"
    private static let mask = "https://a.example/mask.png"
    private static let face =
        #"{"aps":{"alert":"x","mutable-content":1},"appear2mee":{"kind":"face","urls":["\#(mask)","\#(video)"],"fbText":"F"}}"#

    @Test func `the mask has the longest side of the video that is shown`() async throws {
        let bench = PipelineBench(transcoder: FakeTranscoder(types: [Self.video: "video/mp4", Self.mask: "image/png"]))
        let notification = try #require(try await bench.process(bench.request(Self.face)).first)
        #expect(notification.outcome == .rich)
        let video = try #require(notification.attachments.first { $0.role == .attachment })
        let side = max(video.asset.info.width, video.asset.info.height)
        #expect(bench.transcoder.calls.last?.form.imageSide == side)
        let mask = try #require(notification.attachments.first { $0.role == .mask })
        #expect(max(mask.asset.info.width, mask.asset.info.height) == side)
    }

    /// The mask is the first media item, and only one permit exists. If the mask kept the permit, the video could not
    /// start before the deadline.
    @Test func `a mask that waits for its video holds no permit`() async throws {
        let bench = PipelineBench(
            transcoder: FakeTranscoder(types: [Self.video: "video/mp4", Self.mask: "image/png"]), mediaInFlight: 1)
        let notification = try #require(try await bench.process(bench.request(Self.face)).first)
        #expect(notification.outcome == .rich)
    }
}
