import Base
import Glibc
import LinuxIO
import Logging
import TestSupport
import Testing

@testable import appgroupd

/// Tests of the messages to the watchdog of a service manager, with threads that a test can stop.
@Suite(.timeLimit(.minutes(1))) struct LifeSignsTests {
    /// A part of the daemon that answers while it is open.
    private final class Part: Sendable {
        private let state = Guarded<(isOpen: Bool, waiting: [Waiter<Void>], answers: Int)>((true, [], 0))

        var answers: Int { state.withLock { $0.answers } }

        func answer() async {
            let waiter = Waiter<Void>()
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(waiter) }
                return state.isOpen
            }
            if !isOpen { await waiter.value() }
            state.withLock { $0.answers += 1 }
        }

        func set(open isOpen: Bool) {
            let waiting = state.withLock { state in
                state.isOpen = isOpen
                defer { state.waiting = [] }
                return isOpen ? state.waiting : []
            }
            for waiter in waiting { waiter.resume() }
        }
    }

    private struct Bench {
        let directory: TemporaryDirectory
        let manager: NotifySocket
        let clock = ManualClock()
        let parts = [Part(), Part()]
        init() throws {
            directory = try TemporaryDirectory()
            manager = try NotifySocket(path: directory.path + "/notify")
        }
    }

    /// Runs the signs. `turn` advances the clock to the next report.
    private static func run(
        watchdog: Duration? = .seconds(60),
        _ body: (Bench, _ turn: () async throws -> [String]) async throws -> Void
    ) async throws {
        let bench = try Bench()
        let (parts, clock) = (bench.parts, bench.clock)
        let signs = LifeSigns(
            notifier: ServiceNotifier(socket: bench.directory.path + "/notify"), watchdog: watchdog,
            parts: parts.enumerated().map { number, part in .init(name: "part-\(number)") { await part.answer() } },
            status: { "ready" }, clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { await signs.run() }
        try await body(bench) {
            await clock.waitForSleepers()
            // The pause is a quarter of the watchdog, and at most 10 seconds.
            clock.advance(by: .seconds(10))
            await clock.waitForSleepers()
            return try bench.manager.next().split(separator: "\n").map(String.init)
        }
        for part in parts { part.set(open: true) }
        running.cancel()
        await running.value
    }

    @Test func `the watchdog gets messages while all parts answer, and the state once`() async throws {
        try await Self.run { bench, turn in
            var lines: [String] = []
            try await wait(for: "two messages") {
                lines += try await turn()
                return lines.filter { $0 == "WATCHDOG=1" }.count == 2
            }
            #expect(lines.filter { $0 == "STATUS=ready" }.count == 1)
        }
    }

    @Test func `the watchdog gets no message while one part does not answer, and again after its answer`() async throws
    {
        try await Self.run { bench, turn in
            bench.parts[1].set(open: false)
            // The question of the first turn may have been answered before the part was stopped.
            _ = try await turn()
            _ = try await turn()
            for _ in 0..<5 {
                let lines = try await turn()
                #expect(lines == [])
            }
            #expect(bench.parts[0].answers > bench.parts[1].answers)
            bench.parts[1].set(open: true)
            try await wait(for: "a message") { try await turn().contains("WATCHDOG=1") }
        }
    }

    @Test func `without a watchdog, only the state is reported`() async throws {
        try await Self.run(watchdog: nil) { bench, turn in
            let first = try await turn()
            #expect(first == ["STATUS=ready"])
            let second = try await turn()
            #expect(second == [])
        }
    }
}
