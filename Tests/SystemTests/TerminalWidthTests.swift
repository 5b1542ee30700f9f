import Testing

@testable import appgroupd

/// Reports that fit the width of a terminal.
@Suite struct TerminalWidthTests {
    private static let findings = [
        Finding(area: "worker", name: "allowed calls", answer: .ok(String(repeating: "mmap, ", count: 30))),
        Finding(
            area: "root", name: "owner and mode",
            answer: .warning("mode 755", mend: String(repeating: "chmod o= ./var ", count: 12))),
        Finding(area: "limits", name: "cores", answer: .failed("0", mend: "add one")),
    ]

    @Test(arguments: [60, 80, 200]) func `no line of the doctor is wider than the terminal`(width: Int) {
        let lines = DoctorReport(findings: Self.findings).lines(width: width, isColored: false)
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        let words = lines.joined(separator: " ").split(separator: " ")
        #expect(words.count { $0 == "mmap," } == 30)
        #expect(words.count { $0 == "chmod" } == 12)
    }

    @Test func `the doctor has colours on a terminal that shows them, and the same words`() {
        let report = DoctorReport(findings: Self.findings)
        let colored = report.lines(width: 80, isColored: true)
        for (color, word) in [(32, "✓ ok     "), (33, "! warning"), (31, "✗ failed ")] {
            #expect(colored.contains { $0.contains("\u{1B}[1;\(color)m\(word)\u{1B}[0m") })
        }
        let plain = colored.map { $0.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
        #expect(plain == report.lines(width: 80, isColored: false))
    }

    @Test func `a report that is no terminal's has one line for each finding and each mend`() {
        #expect(DoctorReport(findings: Self.findings).lines(width: nil, isColored: false).count == 6)
    }

    @Test func `the last column of a table is wrapped to the terminal, and not elsewhere`() {
        var table = TextTable(["KEY", "SOURCE", "VALUE"])
        table.add(["rule.ignore", "default", String(repeating: "text/html, ", count: 20)])
        table.add(["budget", "default", "30s"])
        let lines = table.lines(width: 60)
        #expect(lines.allSatisfy { $0.count <= 60 })
        #expect(lines[2].hasPrefix(String(repeating: " ", count: 22) + "text/html,"))
        #expect(lines.last == "budget       default  30s")
        #expect(table.lines.count == 3)
    }
}
