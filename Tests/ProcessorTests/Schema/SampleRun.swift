import Authentication
import Base
import FoundationEssentials
import NotificationModel
import NotificationProcessor
import TestSupport

/// A sample that a pipeline processes. Its files have names, sizes and digests like real ones, so that the content is
/// complete. Only the times of the stages differ between runs.
struct SampleRun {
    /// The way in which the request or all of its media end.
    enum Ending: CaseIterable, Sendable {
        case ready
        case notFound
        case notStored
        case cancelled
        case late
    }

    static let publicURL = "https://push.example.com"

    private let clock = ManualClock()
    private let executor = TurnedExecutor()
    private let rules: PayloadRules
    private let request: NotificationRequest
    private let error: EnvelopeError?
    private let made: MediaFormat?

    /// Creates the run of a sample.
    ///
    /// - Parameter id: The ID of a request that has none of its own.
    /// - Parameter publicURL: The URL under which renditions are reached from outside.
    /// - Parameter made: The type of every rendition. If `nil`, each rendition has the type in its URL.
    init(
        _ object: JSONObject, id: String = "sample", profile: MediaProfile = .ios, publicURL: String? = Self.publicURL,
        made: MediaFormat? = nil
    ) {
        self.made = made
        rules = PayloadRules(mediaURLs: publicURL.map { MediaURLs(base: $0) })
        var defaults = RequestDefaults()
        defaults.profile = profile
        let reader = EnvelopeReader(defaults: defaults, dialects: .standard)
        (request, error) = reader.request(
            from: Submission(object: object, arrival: clock.reading, weakID: RequestID(id)))
    }

    /// Returns the emitted contents. Any number other than one is a failure.
    func contents(_ ending: Ending) -> [ProcessedNotification] {
        let emitted = Guarded<[ProcessedNotification]>([])
        let pipeline = NotificationPipeline(
            rules: GroupRules(rules), fetcher: FakeFetcher(answers(ending)), transcoder: SampleTranscoder(made: made),
            store: SampleStore(isFull: ending == .notStored), clock: clock, executor: executor)
        if let error { return [pipeline.reject(request, because: error.description)] }
        let task = Task(executorPreference: executor) { [request] in
            try await pipeline.process(request) { notification in emitted.withLock { $0.append(notification) } }
        }
        executor.turn()
        switch ending {
        case .ready, .notFound, .notStored: break
        case .cancelled: task.cancel()
        case .late: clock.advance(by: clock.now.duration(to: request.budget.stagesEnd))
        }
        executor.turn()
        return emitted.withLock { $0 }
    }

    private func answers(_ ending: Ending) -> [String: FakeFetcher.Answer] {
        let payload = rules.dialects.read(request.payload, requested: request.dialect)
        let answer: FakeFetcher.Answer =
            switch ending {
            case .ready, .notStored: .ready
            case .notFound: .failure(MediaFailure(.httpStatus, "the origin answered 404"))
            case .cancelled, .late: .stalls
            }
        let locations = payload.media.map(\.url).flatMap(MediaURLResolver.locations)
        return Dictionary(locations.map { ($0, answer) }) { first, _ in first }
    }
}
