import Base
import FoundationEssentials
import Glibc
import LinuxIO
import Logging
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// A root with a spool and a coordinator whose answers a test sets, and means to watch its directories.
final class SpoolBench: Sendable {
    let directory: TemporaryDirectory
    let coordinator: FakeCoordinator
    let clock: ManualClock
    var root: String { directory.path }

    init(coordinator: FakeCoordinator = FakeCoordinator(), clock: ManualClock = ManualClock(date: Date())) throws {
        directory = try TemporaryDirectory()
        self.coordinator = coordinator
        self.clock = clock
    }

    /// - Parameter path: The path below the default group's directory.
    func path(_ path: String, in group: String = "group.default") -> String { "\(root)/\(group)/\(path)" }

    func makeDirectories(of group: String = "group.default") throws {
        for name in ["", "incoming", "claimed", "rejected", "outbox"] {
            try FileSystem.makeDirectory(path(name, in: group))
        }
    }

    func write(_ text: String = "{}", to name: String, in group: String = "group.default") throws {
        try FileSystem.write(Array(text.utf8), toFile: path(name, in: group))
    }

    /// Writes a file in another directory and moves it in, so that the spool never finds an incomplete file. The manual
    /// clock may advance while a long file is written.
    func place(_ text: String, at name: String, in group: String = "group.default") throws {
        try write(text, to: "unplaced", in: group)
        try FileSystem.rename(path("unplaced", in: group), to: path(name, in: group))
    }

    func names(_ name: String, in group: String = "group.default") throws -> [String] {
        try FileSystem.names(in: path(name, in: group)).sorted()
    }

    /// Returns the reason that is written beside a rejected file.
    func reason(_ name: String) throws -> JSONObject {
        let bytes = try FileSystem.contents(of: path("rejected/\(name).error.json"))
        return try #require(try JSONParser.value(of: bytes).object)
    }

    func spool(
        root: String? = nil, groups: ServedGroups = .all, limits: SpoolLimits = SpoolLimits(),
        large: LargePayloadExecutor = LargePayloadExecutor(), memory: ByteLimiter = ByteLimiter(limit: 64 << 20),
        values: ByteLimiter = ByteLimiter(limit: 32 << 20),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws -> Spool {
        try Spool(
            root: root ?? self.root, groups: groups, coordinator: coordinator, clock: clock,
            logger: logger, limits: limits, large: large, memory: memory, values: values)
    }

    /// Prepares the spool, runs it during the body, and ends it.
    func run(
        groups: ServedGroups = .all, limits: SpoolLimits = SpoolLimits(),
        large: LargePayloadExecutor = LargePayloadExecutor(), memory: ByteLimiter = ByteLimiter(limit: 64 << 20),
        values: ByteLimiter = ByteLimiter(limit: 32 << 20), journaled: [RequestKey: RequestChannel] = [:],
        _ body: () async throws -> Void
    ) async throws {
        try await run(
            groups: groups, limits: limits, large: large, memory: memory, values: values, journaled: journaled
        ) { _ in try await body() }
    }

    /// Prepares the spool, runs it during the body, which can call it, and ends it.
    func run(
        groups: ServedGroups = .all, limits: SpoolLimits = SpoolLimits(),
        large: LargePayloadExecutor = LargePayloadExecutor(), memory: ByteLimiter = ByteLimiter(limit: 64 << 20),
        values: ByteLimiter = ByteLimiter(limit: 32 << 20), journaled: [RequestKey: RequestChannel] = [:],
        calling body: (Spool) async throws -> Void
    ) async throws {
        let spool = try spool(groups: groups, limits: limits, large: large, memory: memory, values: values)
        try await spool.prepare(journaled: journaled)
        let running = Task { await spool.run() }
        do {
            try await body(spool)
        } catch {
            running.cancel()
            await running.value
            throw error
        }
        running.cancel()
        await running.value
    }

    /// Advances the clock until the coordinator has received a number of submissions.
    func turn(until count: Int) async throws { try await turn { self.coordinator.submissions.count >= count } }

    /// Advances the clock by a second whenever a task sleeps, until a condition holds.
    func turn(until condition: () throws -> Bool) async throws {
        while try !condition() {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
    }

    /// Watches a directory, and returns when it contains a number of names.
    ///
    /// - Parameter name: The name of an existing directory below the group's directory.
    func waitForNames(_ count: Int, in name: String, of group: String = "group.default") async throws {
        try await waitFor(name, of: group) { $0.count >= count }
    }

    /// Returns when the names in a directory meet a condition.
    func waitFor(
        _ name: String, of group: String = "group.default", _ condition: @escaping @Sendable ([String]) -> Bool
    ) async throws {
        let eyes = try DirectoryEyes(path(name, in: group))
        defer { eyes.close() }
        for await names in eyes.names where condition(names) { break }
    }
}

extension EventLoop {
    /// Returns after all work that was scheduled on the loop before this call.
    func turn() async { await withCheckedContinuation { continuation in execute { continuation.resume() } } }
}

/// A stream of the names in a directory, at once and after each event.
final class DirectoryEyes: Sendable {
    let names: AsyncStream<[String]>
    private let loop: EventLoop
    private let owner: Owner

    private actor Owner {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private var watch: DirectoryWatcher?

        init(loop: EventLoop) { self.loop = loop }

        func start(_ path: String, _ telling: AsyncStream<[String]>.Continuation) {
            let tell = { telling.yield((try? FileSystem.names(in: path)) ?? []) }
            watch = try? DirectoryWatcher(on: loop) { _, _ in _ = tell() }
            _ = try? watch?.watch(path, for: .files)
            _ = tell()
        }
    }

    init(_ path: String) throws {
        loop = try EventLoop.start(name: "agd-eyes")
        let (names, telling) = AsyncStream.makeStream(of: [String].self)
        self.names = names
        let owner = Owner(loop: loop)
        self.owner = owner
        loop.execute { owner.assumeIsolated { $0.start(path, telling) } }
    }

    func close() { loop.shutdown() }
}
