import Base
import FoundationEssentials
import LinuxIO
import Logging
import NotificationModel
import ServiceLifecycle
import TestSupport

@testable import Features

/// Batches in a directory of their own, with a fake coordinator.
final class BatchBench: Sendable {
    let directory: TemporaryDirectory
    let batches: Batches
    let intake: FakeIntake
    let templates = FakeTemplates()
    let planner = FakePlanner()
    let clock: ManualClock
    let loop: EventLoop
    private let running: Task<Void, any Error>

    /// - Parameter directory: The directory of an earlier bench, whose batches are restored; `nil` for a new one.
    init(
        _ intake: FakeIntake = FakeIntake(), in directory: TemporaryDirectory? = nil,
        clock: ManualClock = ManualClock(),
        units: Int = 64, _ change: (inout Batches.Settings) -> Void = { _ in }
    ) async throws {
        self.intake = intake
        self.clock = clock
        self.directory = try directory ?? TemporaryDirectory()
        loop = try EventLoop.start(name: "test-disk")
        var settings = Batches.Settings(
            limits: BatchLimits(maxBytes: 1 << 20), quota: 4 << 20, retention: .seconds(86_400))
        change(&settings)
        let batches = Batches(
            settings, intake: intake, templates: templates, planner: planner, shares: BatchShares(units: units),
            root: self.directory.path, on: loop, large: LargePayloadExecutor(), clock: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, problem: { ["title": .string("\($0)")] })
        self.batches = batches
        try await batches.recover()
        running = Task { try await batches.run() }
    }

    /// Ends the batches like a daemon that is killed: nothing more is written.
    func kill() async {
        running.cancel()
        _ = await running.result
        loop.shutdown()
    }

    static let call = {
        var call = BatchCall(owner: "test")
        call.trace = CallTrace(
            id: RequestID("call-1"), parent: TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        return call
    }()

    static func body(_ lines: [String]) -> Pieces { Pieces(lines.map { Array(($0 + "\n").utf8) }) }

    /// Processes lines, and returns the lines of the results.
    func results(of lines: [String]) async -> [JSONValue] {
        let written = Record<[UInt8]>()
        await batches.process(Self.call, Self.body(lines)) { written.append($0) }
        return Self.values(written)
    }

    /// Returns the results of a stored batch.
    func results(of id: String, after count: Int = 0) async throws -> [JSONValue] {
        guard let id = RequestID(id), let write = await batches.results(of: id, of: "test", after: count) else {
            throw CancellationError()
        }
        let written = Record<[UInt8]>()
        await write { written.append($0) }
        return Self.values(written)
    }

    func store(_ lines: [String], as id: String?) async -> BatchAdmission {
        await batches.store(Self.call, as: id.flatMap(RequestID.init), Self.body(lines))
    }

    func state(of id: String) async -> String? {
        guard let id = RequestID(id) else { return nil }
        return await batches.state(of: id, of: "test")?["state"]?.string
    }

    func value(_ member: String, of id: String) async -> JSONValue? {
        guard let id = RequestID(id) else { return nil }
        return await batches.state(of: id, of: "test")?[member]
    }

    static func values(_ written: Record<[UInt8]>) -> [JSONValue] {
        written.elements.flatMap(\.self).split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONParser.value(of: Array($0))
        }
    }
}

/// The pieces of a body, followed by an error if the body is truncated.
struct Pieces: AsyncSequence, Sendable {
    struct Truncated: Error {}

    let pieces: [[UInt8]]
    let isTruncated: Bool
    /// The wait before the last piece; `nil` without a wait.
    let gate: AsyncEvent?

    init(_ pieces: [[UInt8]], isTruncated: Bool = false, gate: AsyncEvent? = nil) {
        self.pieces = pieces
        self.isTruncated = isTruncated
        self.gate = gate
    }

    struct Iterator: AsyncIteratorProtocol {
        let body: Pieces
        var index = 0

        mutating func next() async throws -> [UInt8]? {
            guard index < body.pieces.count else {
                if body.isTruncated { throw Truncated() }
                return nil
            }
            if index == body.pieces.count - 1, let gate = body.gate { await gate.wait() }
            defer { index += 1 }
            return body.pieces[index]
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }
}
