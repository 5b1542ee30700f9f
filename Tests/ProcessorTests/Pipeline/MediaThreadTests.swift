import Base
import LinuxIO
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the executor on which media items are fetched.
@Suite(.timeLimit(.minutes(1))) struct MediaThreadTests {
    private static let url = "https://a.example/1.jpg"
    private static let inlineURL = "data:image/png;base64,iVBORw0KGgo="

    @Test func `media items are fetched on the executor, except for the bytes of a payload`() async throws {
        let fetcher = ThreadRecorder()
        let pipeline = NotificationPipeline(
            fetcher: fetcher, transcoder: FakeTranscoder(), store: FakeStore(), clock: ManualClock(),
            executor: fetcher.executor)
        let payload = #"{"title":"t","media":[{"url":"\#(Self.url)"},{"url":"\#(Self.inlineURL)"}]}"#
        let request = try PipelineBench().request(payload)
        try await pipeline.process(request) { _ in #expect(!fetcher.executor.isCurrent) }
        #expect(fetcher.fetches == [Self.url: true, Self.inlineURL: false])
    }
}

/// A fetcher without any file. It records whether each fetch runs on its executor.
private final class ThreadRecorder: MediaFetching {
    let executor = OwnThreadExecutor()
    private let recorded = Guarded<[String: Bool]>([:])

    var fetches: [String: Bool] { recorded.withLock { $0 } }

    func fetch(_ request: FetchRequest) async -> Result<FetchedMedia, MediaFailure> {
        recorded.withLock { $0[request.url] = executor.isCurrent }
        return .failure(MediaFailure(.unsupportedMedia, "the test has no files"))
    }

    func waitForCooldown(of host: String, until deadline: MonotonicInstant) async -> Bool { false }

    func wouldDownload(_ url: String, for group: AppGroupName?) async -> Bool { true }

    func part(
        of arriving: ArrivingMedia, until deadline: MonotonicInstant,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) async -> FetchedMedia? { nil }
}
