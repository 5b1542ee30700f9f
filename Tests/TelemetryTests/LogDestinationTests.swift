import Base
import FoundationEssentials
import Glibc
import LinuxIO
import Logging
import NotificationModel
import TestSupport
import Testing

@testable import Telemetry

/// Tests of the destinations of the log, each with its own level: standard error, a file, and a journal.
@Suite struct LogDestinationTests {
    private final class Bench {
        let directory: TemporaryDirectory
        let pipe: PipeEnds
        let journal: DatagramListener
        let destinations: [LogDestination]
        let logger: Logger

        var path: String { directory.path + "/appgroupd.log" }

        init(_ change: (inout LogSettings) -> Void = { _ in }) throws {
            directory = try TemporaryDirectory()
            pipe = try PipeEnds()
            let socket = directory.path + "/journal"
            journal = try DatagramListener(path: socket)
            var settings = LogSettings(
                console: .warning, format: .json,
                file: .init(directory.path + "/appgroupd.log", level: .debug, maxBytes: 1 << 20, maxFiles: 3),
                journal: .error)
            change(&settings)
            let made = try LogDestination.all(settings, console: pipe.writing.raw, journal: socket)
            destinations = made
            logger = Logger(label: "test") { LineLogHandler(label: $0, destinations: made) }
        }

        deinit { for destination in destinations { destination.output.shutdown() } }

        func flush() async {
            for destination in destinations { await destination.output.flush(within: .seconds(3_600)) }
        }

        func messages() throws -> [String?] {
            try String(decoding: FileSystem.contents(of: path), as: UTF8.self).split(separator: "\n").map {
                try JSONParser.value(of: String($0))["message"]?.string
            }
        }
    }

    @Test func `each destination takes the events of its own level`() async throws {
        let bench = try Bench()
        bench.logger.trace("trace")
        bench.logger.debug("debug")
        bench.logger.warning("warning")
        bench.logger.error("error")
        await bench.flush()
        #expect(bench.pipe.lines(2).map { $0.contains("warning") } == [true, false])
        let messages = try bench.messages()
        #expect(messages == ["debug", "warning", "error"])
        let fields = try JournalFields(of: bench.journal.message())
        #expect(fields["PRIORITY"] == ["3"])
        #expect(fields["MESSAGE"] == ["error"])
        #expect(bench.journal.next().isEmpty)
    }

    @Test func `the level of a logger is the lowest level of its destinations`() throws {
        let bench = try Bench()
        #expect(bench.logger.logLevel == .debug)
        bench.destinations[1].threshold.level = .critical
        #expect(bench.logger.logLevel == .warning)
    }

    @Test func `a console that is not wanted gets no lines`() async throws {
        let bench = try Bench { $0.console = nil }
        bench.logger.error("error")
        await bench.flush()
        #expect(fcntl(bench.pipe.reading.raw, F_SETFL, O_NONBLOCK) == 0)
        var byte: UInt8 = 0
        #expect(read(bench.pipe.reading.raw, &byte, 1) == -1)
        let messages = try bench.messages()
        #expect(messages == ["error"])
    }

    @Test func `a console that is not read delays no other destination`() async throws {
        let bench = try Bench { $0.console = .debug }
        for number in 0..<2_000 {
            bench.logger.debug("\(number)", metadata: ["text": .string(String(repeating: "x", count: 100))])
        }
        await bench.destinations[1].output.flush(within: .seconds(3_600))
        let count = try bench.messages().count
        #expect(count == 2_000)
        // The console is read, so that its thread can end.
        _ = bench.pipe.lines(2_000)
    }

    @Test func `the fields of an event are fields of the journal`() async throws {
        let bench = try Bench()
        bench.logger.error("failed", metadata: ["id": "k-2", "request-id": "r-1", "ms": .stringConvertible(12)])
        let fields = try JournalFields(of: bench.journal.message())
        #expect(fields["MESSAGE"] == ["failed id=k-2 ms=12 request-id=r-1"])
        #expect(fields["APPGROUPD_ID"] == ["k-2"])
        #expect(fields["APPGROUPD_REQUEST_ID"] == ["r-1"])
        #expect(fields["APPGROUPD_MS"] == ["12"])
        #expect(fields["SYSLOG_IDENTIFIER"] == ["appgroupd"])
        #expect(fields["APPGROUPD_LABEL"] == ["test"])
    }

    @Test func `a journal that starts again gets messages again`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/journal"
        var first: DatagramListener? = try DatagramListener(path: path)
        let sink = try JournalSink(path: path)
        try sink.write(Array("one".utf8))
        #expect(first?.next() == "one")
        first = nil
        unlink(path)
        #expect(throws: SystemError.self) { try sink.write(Array("two".utf8)) }
        let second = try DatagramListener(path: path)
        try sink.write(Array("three".utf8))
        #expect(second.next() == "three")
    }

    @Test func `a missing journal and an unusable file are refused with their keys`() throws {
        let directory = try TemporaryDirectory()
        func problem(_ settings: LogSettings) -> String? {
            do { _ = try LogDestination.all(settings, console: 2, journal: directory.path + "/none") } catch {
                return error.description
            }
            return nil
        }
        func file(_ path: String) -> LogSettings {
            LogSettings(
                console: nil, format: .json, file: .init(path, level: .info, maxBytes: 1 << 20, maxFiles: 2))
        }
        let journal = try #require(problem(LogSettings(console: nil, format: .json, journal: .info)))
        #expect(journal.hasPrefix("log.journal: no journal listens (connect \(directory.path)/none: "))
        let missing = try #require(problem(file(directory.path + "/none/a.log")))
        let reason = "log.file: open \(directory.path)/none/a.log: No such file or directory: name a file"
        #expect(missing.hasPrefix(reason))
        #expect(problem(file(directory.path)) != nil)
        #expect(problem(file("/dev/null"))?.contains("/dev/null is not a regular file") == true)
        let used = try RotatingFile(directory.path + "/used", maxBytes: 100, maxFiles: 2)
        #expect(problem(file(directory.path + "/used"))?.contains("another process writes to") == true)
        withExtendedLifetime(used) {}
    }
}
