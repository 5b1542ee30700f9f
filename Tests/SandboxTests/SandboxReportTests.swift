import Base
import Sandbox
import Testing

/// Tests of the report of a worker about its sandbox.
struct SandboxReportTests {
    private let report = SandboxReport(
        layers: SandboxLayer.allCases.map { LayerState($0, stands: $0 != .files, "about \($0)") },
        allowedCalls: ["brk", "mmap (private)"])

    @Test func `a sandbox report does not change when it is written and read`() {
        #expect(SandboxReport(report.json) == report)
    }

    @Test func `a report that lacks a layer, a state or the calls is refused`() throws {
        let whole = JSONWriter.text(of: report.json)
        for part in [#""files":"#, #""stands":"#, #""detail":"#, #""layers":"#, #""allowedCalls":"#] {
            let damaged = try JSONParser.value(of: whole.replacing(part, with: "\"x\":", maxReplacements: 1))
            #expect(SandboxReport(damaged) == nil, "\(part)")
        }
        for text in ["null", "7", "[]", "{}", #"{"layers":[],"allowedCalls":{}}"#] {
            #expect(SandboxReport(try JSONParser.value(of: text)) == nil, "\(text)")
        }
    }

    @Test func `a sandbox requirement applies only to its own layers`() {
        #expect(report.missing(for: .none).isEmpty)
        #expect(report.missing(for: .filter).isEmpty)
        #expect(report.missing(for: .all).map(\.layer) == [.files])
        var open = report
        open.layers = SandboxLayer.allCases.map { LayerState($0, stands: $0 != .systemCalls, "") }
        #expect(open.missing(for: .filter).map(\.layer) == [.systemCalls])
        #expect(!report.isUnsafe(for: .filter) && report.isUnsafe(for: .all))
        #expect(open.isUnsafe(for: .none))
    }
}
