import Base
import LinuxIO
import Logging
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests of files in `incoming` whose names do not end in `.json`.
@Suite(.timeLimit(.minutes(1)))
struct SpoolMistakenNameTests {
    private let bench: SpoolBench

    init() throws { bench = try SpoolBench() }

    /// Runs the spool during the body, and returns the lines of its log about such files.
    ///
    /// - Parameter least: The number of lines to wait for after the body.
    private func lines(atLeast least: Int = 0, _ body: () async throws -> Void) async throws -> [String] {
        let log = Log()
        let spool = try bench.spool(logger: Logger(label: "test") { _ in Recorder(log: log) })
        try await spool.prepare()
        let running = Task { await spool.run() }
        let result: Result<Void, any Error>
        @Sendable func found() -> [String] {
            log.lines.withLock(\.self).filter { $0.contains("not end in .json") }
        }
        do {
            try await body()
            result = .success(try await wait(for: "the lines") { found().count >= least })
        } catch {
            result = .failure(error)
        }
        running.cancel()
        await running.value
        try result.get()
        return found()
    }

    /// Submits a payload and waits for its submission.
    private func handIn(_ name: String, count: Int) async throws {
        try bench.write(to: "incoming/\(name).json")
        await bench.coordinator.waitForSubmissions(count)
    }

    @Test func `a file whose name does not end in .json is logged once`() async throws {
        try bench.makeDirectories()
        try bench.write(to: "incoming/before.txt")
        let lines = try await lines(atLeast: 2) {
            try await handIn("a", count: 1)
            for _ in 0..<3 { try bench.write(to: "incoming/order.JSON") }
            try await handIn("b", count: 2)
            // The directory is scanned again every minute.
            let end = bench.clock.now.advanced(by: .seconds(150))
            try await bench.turn { bench.clock.now >= end }
            try await handIn("c", count: 3)
        }
        let names = lines.compactMap { $0.split(separator: "file=").last?.split(separator: " ").first.map(String.init) }
        #expect(names.sorted() == ["before.txt", "order.JSON"], "\(lines)")
        #expect(try bench.names("incoming") == ["before.txt", "order.JSON"])
    }

    @Test func `a file is logged two seconds after it was written, unless it was renamed before`() async throws {
        try bench.makeDirectories()
        let lines = try await lines(atLeast: 1) {
            try await handIn("a", count: 1)
            try bench.write(to: "incoming/new.txt")
            try bench.write(to: "incoming/new.writing")
            try FileSystem.move(bench.path("incoming/new.writing"), to: bench.path("incoming/new.json"))
            await bench.coordinator.waitForSubmissions(2)
            let end = bench.clock.now.advanced(by: .seconds(4))
            try await bench.turn { bench.clock.now >= end }
            try await handIn("b", count: 3)
        }
        #expect(lines.count == 1 && lines[0].contains("file=new.txt"), "\(lines)")
    }

    @Test(arguments: [".hidden.txt", "a.json.tmp", "a.part", "a.json~", ".a.json.swp"])
    func `a file that its writer renames is not logged`(_ name: String) async throws {
        try bench.makeDirectories()
        try bench.write(to: "incoming/\(name)")
        let lines = try await lines {
            try bench.write(to: "incoming/\(name)")
            try await handIn("a", count: 1)
        }
        #expect(lines.isEmpty, "\(lines)")
    }

    @Test func `a directory in incoming is not logged, and many files are logged in one line`() async throws {
        try bench.makeDirectories()
        try FileSystem.makeDirectory(bench.path("incoming/directory"))
        for number in 0..<200 { try bench.write(to: "incoming/\(number).txt") }
        let lines = try await lines(atLeast: 1) { try await handIn("a", count: 1) }
        #expect(!lines.contains { $0.contains("directory") })
        #expect((1...65).contains(lines.count), "\(lines.count)")
        #expect(lines.count { $0.hasPrefix("further files") } <= 1)
    }
}

private final class Log: Sendable {
    let lines = Guarded<[String]>([])
}

/// A log handler that records its lines.
private struct Recorder: LogHandler {
    let log: Log
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let fields = (event.metadata ?? [:]).sorted { $0.key > $1.key }.map { "\($0.key)=\($0.value)" }
        log.lines.withLock { $0.append("\(event.message) \(fields.joined(separator: " "))") }
    }
}
