import Foundation
import PayloadLint
import TestSupport
import Testing

@Suite struct LintReferenceTests {
    @Test func `lint.md is the page that is generated from the table of rules`() throws {
        let text = LintReference.markdown
        let page = try Golden.page("use/lint.md", made: text)
        #expect(text == page, "docs/use/lint.md differs from the generated page; REWRITE_GOLDENS=1 rewrites it")
    }

    @Test(arguments: LintRule.all.map(\.id)) func `lint.md has each rule once, with its meaning and its source`(
        id: String
    ) throws {
        let rule = try #require(LintRule.all.first { $0.id == id })
        let parts = LintReference.markdown.components(separatedBy: "\n### \(id)\n")
        #expect(parts.count == 2)
        let section = try #require(parts.last?.components(separatedBy: "\n#").first)
        #expect(section.contains("*\(rule.severity.rawValue)*"))
        #expect(section.contains(rule.meaning))
        #expect(section.contains(rule.source))
        #expect(!section.contains("\\\\"), "a broken line in a text")
    }
}
