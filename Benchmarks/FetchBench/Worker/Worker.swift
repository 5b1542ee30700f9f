import AppGroupStore
import BenchProcess
import LinuxIO
import MediaFetcher
import NotificationModel

/// The measured side: does one thing in a process of its own and tells over descriptor 3 what only it can know.
final class Worker: Sendable {
    let arguments: Arguments
    /// Transfers at a time.
    let parallel: Int
    let count: Int
    private let root: String
    private let parent: Guarded<MessageSocket>

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        parallel = try arguments.number("parallel", else: 64)
        count = try arguments.number("count", else: 1)
        root = try arguments.required("root")
        parent = Guarded(MessageSocket(OwnedDescriptor(adopting: 3)))
    }

    func run(_ kind: String) async throws {
        switch kind {
        case "downloads": try await download()
        case "stalled": try await downloadBesideStalled()
        case "cancel": try await cancelStalled()
        case "crowd": try await meetCrowd()
        default: throw BenchFailure("--worker \(kind) is not known")
        }
    }

    func tell(_ text: String) throws { try parent.withLock { try $0.send(Array(text.utf8)) } }

    /// Waits on this thread until the bench says so.
    func waitForWord() throws {
        let message = try parent.withLock { socket in try socket.receive(upTo: 64, within: .seconds(300)) != nil }
        guard message else { throw BenchFailure("the bench is gone") }
    }

    // MARK: What a daemon has

    /// - Parameter connections: at a time, all of them to the one host.
    func withFetcher(
        connections: Int, _ body: (HTTPMediaFetcher, AppGroupStore) async throws -> Void
    ) async throws {
        var policy = FetchPolicy()
        policy.addresses.allowed = [AddressRange("127.0.0.0/8")].compactMap(\.self)
        policy.caFile = arguments["ca-file"]
        policy.limits.connections = connections
        policy.limits.connectionsPerHost = connections
        // Nothing may end what stands still but us.
        policy.limits.firstByte = .seconds(3_600)
        let store = try AppGroupStore(root: root)
        let cache = arguments["cache"] == nil ? nil : try ResponseCache(root: root)
        let fetcher = try HTTPMediaFetcher(policy: policy, store: cache, userAgent: "fetch-bench")
        try await body(fetcher, store)
        await fetcher.shutdown()
        await cache?.shutdown()
        await store.shutdown()
    }

    /// Where the tasks that fetch live: on the pool's threads as in the daemon where `--from-pool` says so, else on the
    /// fetcher's own, as the curl tool has only one.
    func executor(of fetcher: HTTPMediaFetcher) -> (any TaskExecutor)? {
        arguments["from-pool"] == nil ? fetcher.executor : nil
    }

    /// Fetches `count` files, `parallel` at a time.
    func downloadAll(_ fetcher: HTTPMediaFetcher, into store: AppGroupStore) async throws -> [FetchedMedia] {
        let address = try arguments.required("address")
        let numbers = Numbers()
        let executor = executor(of: fetcher)
        let media = await withTaskGroup(of: [FetchedMedia].self) { group in
            for _ in 0..<parallel {
                group.addTask(executorPreference: executor) { [count] in
                    var media: [FetchedMedia] = []
                    while case let number = numbers.next(), number <= count {
                        if let medium = await Self.fetch("\(address)\(number)", fetcher, into: store) {
                            media.append(medium)
                        }
                    }
                    return media
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let bytes = media.reduce(0) { $0 + $1.byteCount }
        guard bytes == count * NginxOrigin.byteCount else {
            throw BenchFailure("\(bytes) bytes came of \(count * NginxOrigin.byteCount)")
        }
        return media
    }

    static func fetch(_ url: String, _ fetcher: HTTPMediaFetcher, into store: AppGroupStore) async -> FetchedMedia? {
        let result = await fetcher.fetch(
            FetchRequest(
                url: url, deadline: .now + .seconds(3_600), trace: StageTrace(),
                makeFile: { () throws(MediaFailure) in try store.scratchFile(in: .default) }))
        switch result {
        case .success(let media): return media
        case .failure(let failure):
            if failure.reason != .cancelled { Console.complain("\(url): \(failure.detail)") }
            return nil
        }
    }
}

/// 1, 2, 3 and so on, each once.
private final class Numbers: Sendable {
    private let last = Guarded(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
