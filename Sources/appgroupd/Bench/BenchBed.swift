import AppGroupStore
import FoundationEssentials
import Ingress
import JSON
import Lab
import LinuxIO
import Logging
import NotificationModel
import ServiceConfiguration

/// What a daemon is made of, in this process and in a folder of its own, beside an origin that misbehaves: so that it
/// and a control timer are measured by one clock.
struct BenchBed: Sendable {
    let coordinator: RequestCoordinator
    let origin: MisbehavingOrigin
    let clock: EventLoopClock

    /// - Parameter connections: that may be open at a time, all of them to the one origin.
    static func with(
        fixtures: String, connections: Int, _ body: @escaping @Sendable (BenchBed) async throws -> Void
    ) async throws {
        guard connections <= DescriptorBudget.media() else {
            throw CommandFailure(
                .usage,
                "\(connections) transfers at a time need \(DescriptorBudget.openFiles(for: connections)) open files, and the limit is "
                    + "\(ResourceLimits.openFiles): raise ulimit -n, or use fewer --requests")
        }
        let root = directory()
        defer { try? FileManager.default.removeItem(atPath: root) }
        var configuration = Configuration.ofThisMachine
        configuration.root = root
        configuration.fetch.allowAddresses = ["127.0.0.0/8"]
        configuration.fetch.connections = connections
        configuration.fetch.connectionsPerHost = connections
        configuration.fetch.circuitBreaker = "off"
        configuration.requests.inFlight = connections
        // Nothing may end them but the budget.
        configuration.fetch.firstByteTimeout = .seconds(3_600)
        let clock = try EventLoopClock()
        defer { clock.shutdown() }
        let runtime = try Runtime(configuration, clock: clock)
        let journal = try await RequestJournal(
            root: root, limits: .init(retention: .seconds(3_600)),
            complain: { StandardStreams.error("appgroupd: \($0)") })
        let coordinator = RequestCoordinator(
            reader: ConfiguredReader(configuration, runtime.rules.value), processor: runtime.pipeline, journal: journal,
            clock: clock, limits: .init(requests: 100_000, inFlight: connections),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        let result: Result<Void, any Error>
        do {
            try await MisbehavingOrigin.withOrigin(serving: fixtures + "/media") { origin in
                try await withThrowingTaskGroup { group in
                    group.addTask { try await coordinator.run() }
                    do { try await body(BenchBed(coordinator: coordinator, origin: origin, clock: clock)) } catch {
                        coordinator.close()
                        throw error
                    }
                    coordinator.close()
                    try await group.waitForAll()
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await journal.shutdown()
        await runtime.shutdown()
        try result.get()
    }

    /// A folder that nobody has, to be made and removed.
    static func directory() -> String {
        FileManager.default.temporaryDirectory.path + "/appgroupd-bench-\(UUID().uuidString)"
    }

    /// A request for one picture at this path of the origin, handed in as a call that waits would be.
    func submit(_ id: String, path: String, budget: Duration) async throws -> (key: RequestKey, budget: TimeBudget) {
        let object: JSONObject = [
            "aps": ["alert": ["title": "Bench"], "mutable-content": 1], "image": .string(origin.baseURL + path),
        ]
        let arrival = clock.arrival
        let submission = Submission(
            body: JSONWriter.bytes(of: .object(object)), object: object, origin: .detached,
            arrival: arrival, id: RequestID(id), budget: budget)
        let key: RequestKey
        switch await coordinator.submit(submission) {
        case .accepted(let accepted): key = accepted
        // The workers have no time for its medium.
        case .emitted(let content): key = content.key
        case let admission: throw CommandFailure(.failed, "the request \(id) was not accepted: \(admission)")
        }
        return (key, TimeBudget(received: arrival.instant, length: budget))
    }
}
