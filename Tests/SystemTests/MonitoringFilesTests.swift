import Base
import Foundation
import TestSupport
import Testing

@testable import appgroupd

/// Tests that the alerts, the dashboard and the runbook in packaging/ and docs/ belong together. The script
/// scripts/check-monitoring checks their expressions.
@Suite struct MonitoringFilesTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Fixtures.project)/\(path)", encoding: .utf8)
    }

    private static func values(_ key: String, in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let line = line.drop { $0 == " " || $0 == "-" }
            return line.hasPrefix("\(key): ") ? String(line.dropFirst(key.count + 2)) : nil
        }
    }

    private static let rules = "packaging/prometheus/appgroupd.rules.yml"
    private static let ruleTests = "packaging/prometheus/appgroupd.rules.test.yml"
    private static let dashboard = "packaging/grafana/appgroupd.json"

    @Test func `the runbook has a section for each alert, and each alert links to its section`() throws {
        let rules = try Self.text(Self.rules)
        let alerts = Self.values("alert", in: rules)
        #expect(alerts.count > 10)
        let sections = try Self.text("docs/operate/runbook.md").split(separator: "\n")
            .filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        #expect(sections == alerts)
        let links = Self.values("runbook_url", in: rules)
        #expect(links == alerts.map { "https://appgroupd.example/docs/operate/runbook.md#\($0.lowercased())" })
    }

    @Test func `each alert has a test in which it fires`() throws {
        let alerts = Self.values("alert", in: try Self.text(Self.rules))
        let tests = try Self.text(Self.ruleTests).components(separatedBy: "alertname: ").dropFirst()
        let fired = tests.filter { !$0.contains("exp_alerts: []") || $0.contains("exp_labels") }.map { test in
            String(test.prefix { $0 != "\n" })
        }
        #expect(Set(fired) == Set(alerts))
    }

    @Test(arguments: [rules, ruleTests, dashboard])
    func `the rules and the dashboard use only metrics and records that exist`(_ path: String) throws {
        let page = try Self.text("docs/operate/metrics.md")
        let metrics = Set(page.matches(of: /`((?:appgroupd|process)_[a-z0-9_]+)/).map { String($0.output.1) })
        let records = Set(Self.values("record", in: try Self.text(Self.rules)))
        var text = try Self.text(path)
        for name in text.matches(of: /appgroupd:[a-z0-9_:]+/).map({ String($0.output) }) {
            #expect(records.contains(name), "\(name)")
        }
        text = text.replacing(/appgroupd:[a-z0-9_:]+/, with: "")
        let names = Set(text.matches(of: /\b(?:appgroupd|process)_[a-z0-9_]+/).map { String($0.output) })
        #expect(names.count > 10)
        for name in names {
            let bases = ["_bucket", "_sum", "_count"].filter(name.hasSuffix).map { String(name.dropLast($0.count)) }
            #expect(([name] + bases).contains(where: metrics.contains), "\(name)")
        }
    }

    @Test func `each panel of the dashboard has a title, a unit and an expression`() throws {
        let dashboard = try JSONParser.value(of: try Self.text(Self.dashboard))
        let panels = try #require(dashboard["panels"]?.array)
        #expect(panels.count > 15)
        #expect(Set(panels.compactMap { $0["id"]?.integer }).count == panels.count)
        for panel in panels {
            #expect(panel["title"]?.string?.isEmpty == false)
            #expect(panel["fieldConfig"]["defaults"]["unit"]?.string?.isEmpty == false)
            #expect(panel["targets"]?.array?.isEmpty == false)
        }
    }
}
