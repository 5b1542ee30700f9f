import Base
import NotificationModel
import NotificationProcessor
import PayloadLint
import TestSupport
import Testing

/// The findings of `lint` for the requests of `fixtures/seeds`, which agree with the problems that `process` reports.
@Suite struct SeedLintTests {
    @Test(arguments: try SeedFixture.all())
    func `lint reports the expected rules for each request of the seeds`(fixture: SeedFixture) {
        #expect(Self.findings(fixture).filter { $0.severity > .note }.map(\.rule) == fixture.lint)
    }

    @Test(arguments: try SeedFixture.all())
    func `each problem in the result is also a finding of lint at the same path`(fixture: SeedFixture) throws {
        let payload = try #require(fixture.request["payload"]?.object)
        let problems = DialectTable.standard.read(payload).problems
        let findings = Self.findings(fixture)
        for problem in problems {
            #expect(findings.contains { $0.rule == problem.rule && $0.pointer == "/payload\(problem.place)" })
        }
        if fixture.expected["problem"]?.string != nil { #expect(!problems.isEmpty) }
    }

    private static func findings(_ fixture: SeedFixture) -> [LintFinding] {
        let text = JSONWriter.text(of: .object(fixture.request))
        return PayloadLinter(date: SeedFixture.now).lint(LintFile(name: fixture.name, bytes: Array(text.utf8)))
    }
}
