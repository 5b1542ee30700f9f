import NotificationModel
import PayloadLint
import Testing

/// Tests that each rule reports its mistake, and does not report similar payloads that are correct.
@Suite struct RuleTests {
    @Test(arguments: RuleCase.all) func `a rule reports a mistake once, at the path of the mistake`(_ rule: RuleCase) {
        for (text, pointer) in rule.fires {
            let found = Lint.findings(text, of: rule.rule)
            #expect(found.map(\.pointer) == [pointer], "\(text.prefix(300))")
        }
    }

    @Test(arguments: RuleCase.all) func `a rule does not report a similar payload that is correct`(_ rule: RuleCase) {
        for text in rule.spares {
            #expect(Lint.findings(text, of: rule.rule) == [], "\(text.prefix(300))")
        }
    }

    @Test func `every rule has cases, and every case has a rule`() {
        let cased = Set(RuleCase.all.map(\.rule)).union(FetchRuleTests.rules)
        #expect(cased == Set(LintRule.all.map(\.id)))
        for rule in RuleCase.all {
            #expect(!rule.fires.isEmpty, "\(rule)")
            #expect(!rule.spares.isEmpty, "\(rule)")
        }
    }

    @Test func `identifiers of rules are unique, and consist of words with hyphens`() {
        let ids = LintRule.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(id)") }
    }

    @Test(arguments: RuleCase.all) func `messages and fixes are sentences without a full stop`(_ rule: RuleCase) {
        for finding in rule.fires.flatMap({ Lint.findings($0.text, of: rule.rule) }) {
            #expect(!finding.message.isEmpty)
            #expect(!finding.message.hasSuffix("."), "\(finding.message)")
            #expect(finding.fix.first?.isUppercase == true || finding.fix.isEmpty == false, "\(finding.fix)")
            #expect(!finding.fix.hasSuffix("."), "\(finding.fix)")
            #expect(finding.message.utf8.count < 600)
        }
    }
}
