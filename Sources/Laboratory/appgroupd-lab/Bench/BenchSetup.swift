import Base
import FeatureKit
import Features
import FoundationEssentials
import Lab
import LinuxIO
import Logging
import NotificationModel
import RequestCoordinator
import RequestJournal
import ServiceConfiguration

/// The parts of a daemon in this process, with a separate directory and an origin that misbehaves. The daemon and a
/// control timer are in the same process, so that one clock measures both.
struct BenchSetup: Sendable {
    let coordinator: RequestCoordinator
    let origin: MisbehavingOrigin
    let clock: EventLoopClock

    /// Runs a benchmark with a coordinator, and with at most `connections` open connections to the one origin.
    static func with<Value: Sendable>(
        fixtures: String, connections: Int, _ body: @escaping @Sendable (BenchSetup) async throws -> Value
    ) async throws -> Value {
        guard connections <= DescriptorBudget.media() else {
            let needed = DescriptorBudget.openFiles(for: connections)
            throw CommandFailure(
                .usage,
                "\(connections) transfers at a time need \(needed) open files, and the limit is "
                    + "\(ResourceLimits.openFiles): raise ulimit -n, or use fewer --requests")
        }
        let root = directory()
        defer { try? FileManager.default.removeItem(atPath: root) }
        var configuration = Configuration.ofThisMachine
        configuration.root = root
        configuration.fetch.allowAddresses = ["127.0.0.0/8"]
        configuration.fetch.limits.connections = connections
        configuration.fetch.limits.connectionsPerHost = connections
        configuration.fetch.limits.circuitBreaker = false
        configuration.requests.inFlight = connections
        // Only the budget may end a transfer.
        configuration.fetch.limits.firstByte = .seconds(3_600)
        let clock = try EventLoopClock()
        defer { clock.shutdown() }
        let runtime = try Runtime(configuration, clock: clock)
        let journal = try await RequestJournal(
            root: root,
            tables: [
                MessageTable.self, RecipientTable.self, ListTable.self, ReceiptTable.self, CallbackTable.self,
                ErasureTable.self,
            ],
            limits: .init(retention: .seconds(3_600)), warn: StandardStreams.warn)
        let coordinator = RequestCoordinator(
            decoder: runtime.pipeline, journal: journal,
            clock: clock, limits: .init(requests: 100_000, inFlight: connections),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        let result: Result<Value, any Error>
        do {
            let value = try await MisbehavingOrigin.withOrigin(serving: fixtures + "/media") { origin in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await coordinator.run() }
                    let value: Value
                    do {
                        defer { coordinator.close() }
                        value = try await body(BenchSetup(coordinator: coordinator, origin: origin, clock: clock))
                    }
                    try await group.waitForAll()
                    return value
                }
            }
            result = .success(value)
        } catch {
            result = .failure(error)
        }
        await journal.shutdown()
        await runtime.shutdown()
        return try result.get()
    }

    /// Returns the path of a temporary directory that does not exist yet. The caller creates and removes the directory.
    static func directory() -> String {
        FileManager.default.temporaryDirectory.path + "/appgroupd-bench-\(UUID().uuidString)"
    }

    /// Submits a request for one image at a path of the origin. No caller waits for the request.
    func submit(_ id: String, path: String, budget: Duration) async throws -> (key: RequestKey, budget: TimeBudget) {
        let object: JSONObject = [
            "aps": ["alert": ["title": "Bench"], "mutable-content": 1], "image": .string(origin.baseURL + path),
        ]
        let arrival = clock.reading
        let submission = Submission(
            body: JSONWriter.bytes(of: .object(object)), object: object, channel: .detached,
            arrival: arrival, id: RequestID(id), budget: budget)
        let timeBudget = TimeBudget(received: arrival.instant, length: budget)
        switch await coordinator.submit(submission) {
        case .accepted(let key): return (key, timeBudget)
        // The coordinator emits the result at once if the workers cannot finish the media item in time.
        case .emitted(let content): return (content.key, timeBudget)
        case let admission: throw CommandFailure(.failed, "the request \(id) was not accepted: \(admission)")
        }
    }
}
