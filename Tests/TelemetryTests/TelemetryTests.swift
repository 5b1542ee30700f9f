import CoreMetrics
import Glibc
import Logging
import Telemetry
import Testing

@Suite struct TelemetryTests {
    @Test func `bootstrap installs the backends of swift-log and swift-metrics`() async throws {
        // The test runs in a separate process, because a backend can be set only once.
        let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
            let telemetry = try Telemetry.bootstrap(LogSettings(console: .warning, format: .json))
            let logger = Logger(label: "own")
            logger.info("unheard")
            telemetry.change(LogSettings(console: .info, format: .json))
            logger.info("heard")
            Counter(label: "appgroupd_test_total").increment(by: 3)
            let text = telemetry.metrics.render()
            guard text.contains("\nappgroupd_test_total 3\n"), text.contains("\nprocess_threads "),
                text.contains("\nappgroupd_log_dropped_lines_total{destination=\"console\"} 0\n")
            else { exit(8) }
            await telemetry.flush(within: .seconds(60))
            exit(7)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(#""message":"heard","label":"own"}"#))
        #expect(!text.contains("unheard"))
    }
}
