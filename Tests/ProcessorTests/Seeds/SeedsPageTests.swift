import Foundation
import TestSupport
import Testing

/// `docs/seeds.md` names tests and fixtures that are there, and every fixture.
@Suite struct SeedsPageTests {
    private static let header = "| the guide says | here | shown by |"

    private static func page() throws -> String {
        try String(contentsOfFile: Fixtures.project + "/docs/seeds.md", encoding: .utf8)
    }

    /// The rows of the page's tables, as their cells.
    private static func rows() throws -> [[String]] {
        var isTable = false
        return try page().split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            if line == header { isTable = true }
            isTable = isTable && line.hasPrefix("|")
            guard isTable, line != header, !line.hasPrefix("|---") else { return nil }
            return line.dropFirst().dropLast().components(separatedBy: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    private static func names(in cell: String) -> [String] {
        cell.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    }

    /// The names of all test functions.
    private static func tests() throws -> Set<String> {
        let folder = Fixtures.project + "/Tests"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
        return try Set(
            files.flatMap { file in
                try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).components(separatedBy: "func `")
                    .dropFirst().compactMap { $0.components(separatedBy: "`").first }
            })
    }

    @Test func `each name in the last column is that of a test or of a fixture`() throws {
        let known = try Self.tests().union(SeedFixture.all().map(\.name))
        let rows = try Self.rows()
        #expect(rows.count > 40)
        for row in rows {
            try #require(row.count == 3, "\(row)")
            for name in Self.names(in: row[2]) { #expect(known.contains(name), "no test and no fixture: \(name)") }
        }
    }

    @Test func `a row has a test, or says why it is not here`() throws {
        for row in try Self.rows() {
            #expect(row[2].isEmpty == row[1].hasPrefix("not here: "), "\(row[0])")
        }
    }

    @Test func `every fixture is on the page`() throws {
        let named = Set(try Self.rows().flatMap { Self.names(in: $0.last ?? "") })
        for fixture in try SeedFixture.all() { #expect(named.contains(fixture.name), "\(fixture.name)") }
    }
}
