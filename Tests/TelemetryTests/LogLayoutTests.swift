import Telemetry
import Testing

@Suite struct LogLayoutTests {
    struct Case: Sendable {
        let format: LogFormat
        let isTerminal: Bool
        var environment: [String: String] = [:]
        let layout: LogLayout
    }

    @Test(arguments: [
        Case(format: .auto, isTerminal: true, layout: .text(colors: true)),
        Case(format: .auto, isTerminal: false, layout: .json),
        Case(format: .text, isTerminal: false, layout: .text(colors: false)),
        Case(format: .json, isTerminal: true, layout: .json),
        Case(format: .auto, isTerminal: true, environment: ["NO_COLOR": "1"], layout: .text(colors: false)),
        Case(format: .auto, isTerminal: true, environment: ["NO_COLOR": ""], layout: .text(colors: true)),
        Case(format: .text, isTerminal: true, environment: ["TERM": "dumb"], layout: .text(colors: false)),
    ])
    func `the layout follows the format, the descriptor and NO_COLOR`(_ test: Case) {
        let layout = LogLayout(test.format, isTerminal: test.isTerminal) { test.environment[$0] }
        #expect(layout == test.layout)
    }
}
