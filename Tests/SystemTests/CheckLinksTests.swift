import TestSupport
import Testing

/// Tests of the script `scripts/check-links`.
@Suite(.timeLimit(.minutes(1))) struct CheckLinksTests {
    /// The name of a page that does not exist, in two parts, because the script also reads this file.
    private static let missing = "docs/" + "none.md"

    @Test func `each link of the project's documents leads to a page and its heading`() throws {
        let run = try ScriptRun("check-links", [])
        #expect(run.status == 0, "\(run.report)")
    }

    @Test(arguments: [
        ("# Title\n\nSee [a page](none.md).\n", "page.md:3: none.md: there is no such file"),
        ("# One more\n\n[here](#one-more) [there](#two)\n", "page.md:3: #two: the page has no such heading"),
        ("See \(missing).\n", "page.md:1: \(missing): there is no such page"),
    ])
    func `a link to a missing page or heading is reported with its line`(page: String, found: String) throws {
        let directory = try TemporaryDirectory()
        let run = try ScriptRun("check-links", [try directory.write(page, as: "page.md")])
        #expect(run.status == 1)
        #expect(run.report.hasSuffix("/\(found)\n"), "\(run.report)")
    }

    @Test func `links to other hosts and links in examples are not checked`() throws {
        let directory = try TemporaryDirectory()
        let page = "[a](https://a.example/x.md) `[b](none.md)`\n```\n[c](none.md)\n```\n[page](page.md)\n"
        #expect(try ScriptRun("check-links", [try directory.write(page, as: "page.md")]).status == 0)
    }
}
