import AppGroupStore
import Base
import BenchProcess
import FetchWork
import HTTPCaching
import LinuxIO
import MediaFetcher
import NotificationModel
import NotificationProcessor
import TranscodePool

/// The measured side with the HTTP cache, and with the other parts of the daemon that use the fetcher.
struct StoreWorker {
    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run(_ kind: String) async throws {
        let root = try arguments.required("root")
        let cache = try ResponseCache(root: root)
        let worker = try FetchWorker(arguments, cache: cache)
        if kind == "crowd" { try await meetCrowd(worker, root) } else { try await worker.run(kind) }
        await cache.shutdown()
    }

    /// Processes `count` notifications at once, all with one image, through the whole pipeline. The function reports
    /// the number of transcodes and the outcomes of the notifications.
    private func meetCrowd(_ worker: FetchWorker, _ root: String) async throws {
        let address = try arguments.required("address")
        let pool = try TranscodePool(executable: arguments.required("transcoder"), size: 2)
        let transcoder = CountingTranscoder(transcoder: pool)
        let store = try AppGroupStore(root: root)
        try await worker.withFetcher(connections: worker.parallel) { fetcher in
            let pipeline = NotificationPipeline(
                fetcher: fetcher, transcoder: transcoder, store: store, mediaInFlight: worker.count,
                clock: SystemClock(), executor: fetcher.executor)
            let outcomes = await withTaskGroup(of: Outcome?.self) { group in
                for number in 0..<worker.count {
                    group.addTask { await Self.outcome(number, address, pipeline) }
                }
                return await group.reduce(into: [Outcome?: Int]()) { $0[$1, default: 0] += 1 }
            }
            let words = outcomes.map { outcome, count in "\(count) \(outcome?.rawValue ?? "none")" }.sorted()
            try worker.tell("\(transcoder.count)\n\(words.joined(separator: ", "))")
        }
        await store.shutdown()
        await pool.shutdown()
    }

    private static func outcome(_ number: Int, _ address: String, _ pipeline: NotificationPipeline) async -> Outcome? {
        guard let id = RequestID("crowd-\(number)") else { return nil }
        let payload: JSONObject = [
            "aps": ["alert": ["title": "Bench"], "mutable-content": 1], "image": .string(address),
        ]
        let now = MonotonicInstant.now
        let request = NotificationRequest(
            id: id, budget: TimeBudget(received: now, length: .seconds(120)), receivedAt: SystemClock().date,
            payload: payload)
        var outcome: Outcome?
        do throws(MediaFailure) {
            try await pipeline.process(request) { outcome = $0.outcome }
        } catch {
            Console.warn("crowd-\(number): \(error.detail)")
        }
        return outcome
    }
}

/// A transcoder that counts the requests, and forwards them.
private final class CountingTranscoder: MediaTranscoding {
    private let transcoder: any MediaTranscoding
    private let counted = Guarded(0)

    init(transcoder: any MediaTranscoding) { self.transcoder = transcoder }

    var count: Int { counted.withLock { $0 } }

    func transcode(_ request: TranscodeRequest) async -> Result<RenditionSet, MediaFailure> {
        counted.withLock { $0 += 1 }
        return await transcoder.transcode(request)
    }
}
