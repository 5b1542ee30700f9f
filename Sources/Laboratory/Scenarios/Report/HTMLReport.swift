/// The report as a page without scripts. The runs of several commands can follow each other on one page.
package enum HTMLReport {
    private static let end = "</main>"

    /// Returns the page with the reports of a run at its end.
    ///
    /// - Parameter page: The page with earlier runs; `nil` for a page without earlier runs.
    /// - Parameter title: The heading of the run.
    package static func page(_ reports: [ScenarioReport], title: String, after page: String?) -> String {
        let section = section(reports, title: title)
        if let page, let place = page.ranges(of: end).last {
            return page[..<place.lowerBound] + section + "\n" + page[place.lowerBound...]
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>appgroupd lab run</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
            table { border-collapse: collapse; width: 100%; }
            td, th { border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top; }
            pre { background: #f4f4f4; margin: 0; overflow-x: auto; padding: .6rem; }
            .failed { color: #a00; font-weight: bold; }
            .passed { color: #060; }
            </style>
            </head>
            <body>
            <main>
            <h1>Scenarios</h1>
            \(section)
            \(end)
            </body>
            </html>

            """
    }

    private static func section(_ reports: [ScenarioReport], title: String) -> String {
        let rows = reports.map { report in
            let isPassed = report.hasPassed
            let details = report.failures.map { check in
                let lines =
                    ["\(report.file):\(check.mark.line):\(check.mark.column) \(check.sentence)"]
                    + CaretLines.lines(report.lines, at: check.mark)
                    + [check.advice.map { "= \($0)" }].compactMap(\.self)
                return "<pre>\(MarkupText.escaped(lines.joined(separator: "\n")))</pre>"
            }
            return """
                <tr><td class="\(isPassed ? "passed" : "failed")">\(isPassed ? "passed" : "failed")</td>\
                <td>\(MarkupText.escaped(report.name))\(details.joined())</td><td>\(report.checks.count)</td>\
                <td>\(report.milliseconds) ms</td><td>\(report.seed)</td></tr>
                """
        }
        return """
            <section>
            <h2>\(MarkupText.escaped(title))</h2>
            <table>
            <tr><th>result</th><th>scenario</th><th>expectations</th><th>time</th><th>seed</th></tr>
            \(rows.joined(separator: "\n"))
            </table>
            </section>
            """
    }
}
