import Foundation
import TestSupport
import Testing

/// Tests that the pages `docs/use/seeds*.md` name only existing tests and fixtures, and that they name every fixture.
@Suite struct SeedsPageTests {
    private static let header = "| behaviour | quote | here | shown by |"

    /// Returns the lines of all pages.
    private static func lines() throws -> [Substring] {
        let directory = Fixtures.project + "/docs/use"
        let pages = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("seeds") }
        return try pages.flatMap { page in
            try String(contentsOfFile: "\(directory)/\(page)", encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
        }
    }

    /// Returns the rows of the pages' tables as their cells.
    private static func rows() throws -> [[String]] {
        var isTable = false
        return try lines().compactMap { line in
            if line == header { isTable = true }
            isTable = isTable && line.hasPrefix("|")
            guard isTable, line != header, !line.hasPrefix("|---") else { return nil }
            return line.dropFirst().dropLast().components(separatedBy: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// Returns the tests that a cell names between backticks.
    private static func tests(in cell: String) -> [String] {
        cell.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    }

    /// Returns the fixtures to which a cell has links, by the names of their files.
    private static func fixtures(in cell: String) -> [String] {
        cell.components(separatedBy: "](../../fixtures/seeds/").dropFirst().compactMap {
            $0.components(separatedBy: ".json)").first
        }
    }

    /// Returns the names of all test functions.
    private static func tests() throws -> Set<String> {
        let directory = Fixtures.project + "/Tests"
        let files = try FileManager.default.subpathsOfDirectory(atPath: directory).filter { $0.hasSuffix(".swift") }
        return try Set(
            files.flatMap { file in
                try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8).components(separatedBy: "func `")
                    .dropFirst().compactMap { $0.components(separatedBy: "`").first }
            })
    }

    @Test func `each name in the last column is the name of a test, and each link leads to a fixture`() throws {
        let (tests, fixtures) = (try Self.tests(), Set(try SeedFixture.all().map(\.name)))
        let rows = try Self.rows()
        #expect(rows.count > 100)
        for row in rows {
            try #require(row.count == 4, "\(row)")
            for name in Self.tests(in: row[3]) { #expect(tests.contains(name), "no test: \(name)") }
            for name in Self.fixtures(in: row[3]) { #expect(fixtures.contains(name), "no fixture: \(name)") }
        }
    }

    @Test func `a row has a test, or the reason why the behaviour is not applicable or open`() throws {
        for row in try Self.rows() {
            let isWithoutTest = ["not applicable: ", "open: "].contains { row[2].hasPrefix($0) }
            #expect(row[3].isEmpty == isWithoutTest, "\(row[0])")
        }
    }

    @Test func `every fixture is listed on the page`() throws {
        let linked = Set(try Self.rows().flatMap { Self.fixtures(in: $0.last ?? "") })
        for fixture in try SeedFixture.all() { #expect(linked.contains(fixture.name), "\(fixture.name)") }
    }
}
