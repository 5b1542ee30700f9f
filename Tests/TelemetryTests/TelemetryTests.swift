import CoreMetrics
import Glibc
import Logging
import Telemetry
import Testing

@Suite struct TelemetryTests {
    @Test func `bootstrapping takes swift-log and swift-metrics over`() async throws {
        // A process of its own: a backend is set once in a life.
        let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
            let telemetry = try Telemetry.bootstrap(level: .warning, format: .json)
            let logger = Logger(label: "own")
            logger.info("unheard")
            telemetry.level = .info
            logger.info("heard")
            Counter(label: "appgroupd_test_total").increment(by: 3)
            let text = telemetry.metrics.render()
            guard text.contains("\nappgroupd_test_total 3\n"), text.contains("\nprocess_threads "),
                text.contains("\nappgroupd_log_dropped_lines_total 0\n")
            else { exit(8) }
            await telemetry.flush(within: .seconds(60))
            exit(7)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(#""message":"heard","label":"own"}"#))
        #expect(!text.contains("unheard"))
    }
}
