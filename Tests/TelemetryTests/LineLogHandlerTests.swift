import Base
import LinuxIO
import Logging
import NotificationModel
import Testing

@testable import Telemetry

@Suite struct LineLogHandlerTests {
    private struct Refusal: Error, CustomStringConvertible { let description = "no room" }

    /// A source of loggers whose lines a test reads.
    private final class Bench {
        private let pipe: PipeEnds
        private let destination: LogDestination

        var threshold: LogThreshold { destination.threshold }

        init() throws {
            pipe = try PipeEnds()
            destination = try LogDestination(.console, .json, .info, to: DescriptorSink(descriptor: pipe.writing.raw))
        }

        deinit { destination.output.shutdown() }

        func logger(_ label: String = "test", provider: Logger.MetadataProvider? = nil) -> Logger {
            Logger(label: label) { label in
                LineLogHandler(label: label, destinations: [destination], metadataProvider: provider)
            }
        }

        func lines(_ count: Int) throws -> [JSONValue] { try pipe.lines(count).map { try JSONParser.value(of: $0) } }
    }

    @Test func `a copy of a logger has its own level and metadata`() throws {
        let bench = try Bench()
        var first = bench.logger()
        first.logLevel = .debug
        first[metadataKey: "of"] = "first"
        var second = first
        second.logLevel = .error
        second[metadataKey: "of"] = "second"
        #expect(first.logLevel == .debug)
        #expect(second.logLevel == .error)
        #expect(first[metadataKey: "of"] == "first")
        #expect(second[metadataKey: "of"] == "second")
    }

    @Test func `a changed threshold applies to existing loggers`() throws {
        let bench = try Bench()
        let logger = bench.logger()
        logger.debug("unheard")
        bench.threshold.level = .debug
        logger.debug("heard")
        bench.threshold.level = .error
        logger.warning("unheard")
        logger.error("last")
        let messages = try bench.lines(2).map { $0["message"] }
        #expect(messages == ["heard", "last"])
    }

    @Test func `a logger with its own level ignores the threshold`() throws {
        let bench = try Bench()
        var logger = bench.logger()
        logger.logLevel = .trace
        bench.threshold.level = .critical
        logger.trace("heard")
        let messages = try bench.lines(1).map { $0["message"] }
        #expect(messages == ["heard"])
    }

    @Test
    func `metadata of an event replaces that of the provider, which replaces that of the logger`()
        throws
    {
        let bench = try Bench()
        var logger = bench.logger(provider: .init { ["a": "provider", "b": "provider"] })
        logger[metadataKey: "b"] = "logger"
        logger[metadataKey: "c"] = "logger"
        logger.info("x", metadata: ["a": "said"])
        let line = try #require(try bench.lines(1).first)
        #expect(line["a"] == "said")
        #expect(line["b"] == "provider")
        #expect(line["c"] == "logger")
        #expect(line["label"] == "test")
    }

    @Test func `an error is logged as two fields`() throws {
        let bench = try Bench()
        bench.logger().error("x", error: Refusal())
        let line = try #require(try bench.lines(1).first)
        #expect(line["error.message"] == "no room")
        #expect(line["error.type"]?.string?.hasSuffix("Refusal") == true)
    }
}
