import Authentication
import Base
import LinuxIO
import NotificationModel
import NotificationProcessor
import TestSupport

extension FuzzTarget {
    /// The maximum number of objects that are processed for one input.
    private static let maxObjects = 4

    /// Processes payloads and envelopes of all dialects, from their bytes to the result. Each request must emit exactly
    /// one result.
    static func payload(_ bytes: [UInt8]) throws(FuzzFinding) {
        for object in objects(in: bytes) {
            let results = results(of: object)
            try require(results.count == 1, "a request has one result and not \(results.count)")
            for result in results {
                let json = result.json
                try requireReadable(json, JSONWriter.bytes(of: json))
            }
        }
    }

    /// Returns the objects in a stream of JSON.
    private static func objects(in bytes: [UInt8]) -> [JSONObject] {
        var stream = JSONStream()
        stream.append(bytes)
        var objects: [JSONObject] = []
        while objects.count < maxObjects {
            switch stream.next(isAtEnd: true) {
            case .value(let value): if let object = value.object { objects.append(object) }
            case .problem: break
            case .needsMore: return objects
            }
        }
        return objects
    }

    private static func results(of object: JSONObject) -> [ProcessedNotification] {
        let clock = ManualClock()
        let executor = TurnedExecutor()
        let emitted = Guarded<[ProcessedNotification]>([])
        let rules = PayloadRules(mediaURLs: MediaURLs(base: "https://push.example.com"))
        let (request, error) = EnvelopeReader(defaults: RequestDefaults(), dialects: rules.dialects)
            .request(from: Submission(object: object, arrival: clock.reading, weakID: RequestID("fuzz")))
        let pipeline = NotificationPipeline(
            rules: GroupRules(rules), fetcher: FuzzFetcher(), transcoder: SampleTranscoder(),
            store: SampleStore(isFull: false), clock: clock, executor: executor)
        if let error { return [pipeline.reject(request, because: error.description)] }
        Task(executorPreference: executor) {
            try await pipeline.process(request) { result in emitted.withLock { $0.append(result) } }
        }
        executor.turn()
        clock.advance(by: max(.zero, clock.now.duration(to: request.budget.deadline)))
        executor.turn()
        return emitted.withLock { $0 }
    }
}

/// A fetcher that fails if the length of the URL is a multiple of four, so that some media are missing.
private struct FuzzFetcher: MediaFetching {
    func waitForCooldown(of host: String, until deadline: MonotonicInstant) async -> Bool { false }

    func fetch(_ request: FetchRequest) async -> Result<FetchedMedia, MediaFailure> {
        do throws(MediaFailure) {
            if let inline = InlineMedia(request.url) { _ = try inline.bytes() }
            try request.willDownload()
            guard request.url.utf8.count % 4 != 0 else {
                throw MediaFailure(.httpStatus, "the origin answered 404")
            }
            return .success(
                FetchedMedia(
                    file: try request.makeFile(), byteCount: 1_000, declaredType: request.url, identity: request.url))
        } catch {
            return .failure(error)
        }
    }

    func part(
        of arriving: ArrivingMedia, until deadline: MonotonicInstant,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) async -> FetchedMedia? {
        nil
    }

    func wouldDownload(_ url: String, for group: AppGroupName?) async -> Bool { !InlineMedia.isReference(url) }
}
