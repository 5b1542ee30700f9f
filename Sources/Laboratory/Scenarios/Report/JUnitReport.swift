import Base

/// The report for continuous integration, as JUnit's XML: a suite for each scenario, and a case for each expectation.
package enum JUnitReport {
    package static func text(_ reports: [ScenarioReport]) -> String {
        let suites = reports.map(suite)
        let tests = reports.reduce(0) { $0 + $1.checks.count }
        let failures = reports.reduce(0) { $0 + $1.failures.count }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="appgroupd lab run" tests="\(tests)" failures="\(failures)">
            \(suites.joined(separator: "\n"))
            </testsuites>

            """
    }

    private static func suite(_ report: ScenarioReport) -> String {
        let seconds = Double(report.milliseconds) / 1_000
        let cases = report.checks.map { testCase($0, of: report) }
        let name = MarkupText.escaped(report.attempt > 1 ? "\(report.name) (run \(report.attempt))" : report.name)
        return """
              <testsuite name="\(name)" tests="\(report.checks.count)" failures="\(report.failures.count)" time="\(seconds)">
                <properties>
                  <property name="seed" value="\(report.seed)"/>
                  <property name="failedAttempts" value="\(report.retries)"/>
                </properties>
            \(cases.joined(separator: "\n"))
              </testsuite>
            """
    }

    private static func testCase(_ check: Check, of report: ScenarioReport) -> String {
        let step = check.step.map { "payload \($0) " } ?? ""
        let name = MarkupText.escaped("\(step)\(check.key) (line \(check.mark.line))")
        let head = """
                <testcase classname="\(MarkupText.escaped(report.file))" name="\(name)" file="\(MarkupText.escaped(report.file))" line="\(check.mark.line)"
            """
        guard !check.isMet else { return head + "/>" }
        let place = "\(report.file):\(check.mark.line):\(check.mark.column)"
        let details = [place + " " + check.sentence] + CaretLines.lines(report.lines, at: check.mark)
        let text = (details + [check.advice.map { "= \($0)" }].compactMap(\.self)).joined(separator: "\n")
        return head + """
            >
                  <failure message="\(MarkupText.escaped(check.sentence))">\(MarkupText.escaped(text))</failure>
                </testcase>
            """
    }
}

/// Texts in XML and HTML.
enum MarkupText {
    /// Returns a text with references for the characters of markup. Characters that XML forbids become question marks.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case "\u{0}"..<" ", "\u{7F}", "\u{FFFE}", "\u{FFFF}": result += "?"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
