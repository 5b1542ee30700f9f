import NotificationModel
import PayloadLint
import Testing

/// Each rule sees what it is for, and not what is nearly that.
@Suite struct RuleTests {
    @Test(arguments: RuleCase.all) func `a rule reports a mistake once, at the place of the mistake`(_ rule: RuleCase) {
        for (text, pointer) in rule.fires {
            let found = Lint.findings(text, of: rule.rule)
            #expect(found.map(\.pointer) == [pointer], "\(text.prefix(300))")
        }
    }

    @Test(arguments: RuleCase.all) func `a rule spares what is nearly wrong`(_ rule: RuleCase) {
        for text in rule.spares {
            #expect(Lint.findings(text, of: rule.rule) == [], "\(text.prefix(300))")
        }
    }

    @Test func `every rule has cases, and every case is of a rule`() {
        let cased = Set(RuleCase.all.map(\.rule)).union(FetchRuleTests.rules)
        #expect(cased == Set(LintRule.all.map(\.id)))
        for rule in RuleCase.all {
            #expect(!rule.fires.isEmpty, "\(rule)")
            #expect(!rule.spares.isEmpty, "\(rule)")
        }
    }

    @Test func `identifiers are words with hyphens, each once`() {
        let ids = LintRule.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(id)") }
    }

    @Test(arguments: RuleCase.all) func `messages and fixes are sentences without an end`(_ rule: RuleCase) {
        for finding in rule.fires.flatMap({ Lint.findings($0.text, of: rule.rule) }) {
            #expect(!finding.message.isEmpty)
            #expect(!finding.message.hasSuffix("."), "\(finding.message)")
            #expect(finding.fix.first?.isUppercase == true || finding.fix.isEmpty == false, "\(finding.fix)")
            #expect(!finding.fix.hasSuffix("."), "\(finding.fix)")
            #expect(finding.message.utf8.count < 600)
        }
    }
}
