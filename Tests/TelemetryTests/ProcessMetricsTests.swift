import FoundationEssentials
import Glibc
import Testing

@testable import Telemetry

@Suite struct ProcessMetricsTests {
    /// A line of a `sleep` process whose name has parentheses. The fields are those of proc(5).
    private static let line = """
        4711 (a) b (c)) S 1 2 3 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 3 0 9900 8192000 512 18446744073709551615 1 1 0
        """

    @Test func `the fields of /proc/self/stat are read after the last parenthesis`() throws {
        let statistics = try #require(ProcessStatistics(Self.line, ticks: 100, pageBytes: 4_096))
        #expect(statistics.processorSeconds == 3)
        #expect(statistics.threads == 3)
        #expect(statistics.startSeconds == 99)
        #expect(statistics.virtualBytes == 8_192_000)
        #expect(statistics.residentBytes == 512 * 4_096)
    }

    @Test(arguments: ["", "1 name S 1", "1 (x) S", "1 (x) S a b c d e f g h i j k l m n o p q r s t u v"])
    func `a malformed line of /proc/self/stat is refused`(_ line: String) {
        #expect(ProcessStatistics(line, ticks: 100, pageBytes: 4_096) == nil)
    }

    @Test func `the process metrics have plausible values`() throws {
        let registry = MetricsRegistry()
        registry.add(ProcessMetrics.families)
        let families = try ExpositionParser.families(of: registry.render())
        func value(_ name: String) throws -> Double { try #require(families[name]?.samples.first?.value, "\(name)") }
        #expect(try value("process_resident_memory_bytes") > 1_048_576)
        #expect(try value("process_virtual_memory_bytes") > value("process_resident_memory_bytes"))
        #expect(try value("process_threads") >= 1)
        #expect(try value("process_cpu_seconds_total") >= 0)
        let now = Date().timeIntervalSince1970
        let start = try value("process_start_time_seconds")
        #expect(start <= now + 1)
        #expect(start > now - 86_400)
        #expect(try value("process_open_fds") <= value("process_max_fds"))
    }

    @Test func `open descriptors are counted without the descriptor that reads the directory`() async {
        // The test runs in a separate process, in which few other threads open descriptors.
        await #expect(processExitsWith: .success) {
            func reported() -> Double? {
                ProcessMetrics.families().first { $0.name == "process_open_fds" }?.samples.first?.value
            }
            func counted() -> Double { Double((0..<4_096).count { fcntl(Int32($0), F_GETFD) >= 0 }) }
            for _ in 0..<1_000 {
                let before = counted()
                let value = reported()
                // A thread of the runtime may have opened a descriptor meanwhile.
                guard counted() == before else { continue }
                exit(value == before ? 0 : 1)
            }
            exit(2)
        }
    }
}
