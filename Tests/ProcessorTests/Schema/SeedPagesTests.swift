import Foundation
import TestSupport
import Testing

/// The tables of `docs/seeds*.md` name tests that there are.
@Suite struct SeedPagesTests {
    private static let project = URL(filePath: Fixtures.folder).deletingLastPathComponent()

    private static func pages() throws -> [String] {
        let docs = project.appending(path: "docs")
        return try FileManager.default.contentsOfDirectory(atPath: docs.path).filter { $0.hasPrefix("seeds") }.map {
            try String(contentsOf: docs.appending(path: $0), encoding: .utf8)
        }
    }

    /// Returns the names between backticks in the last cell of each row.
    private static func namedTests() throws -> [String] {
        try pages().flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("|") }.flatMap { row in
            let cell = row.split(separator: "|", omittingEmptySubsequences: false).dropLast().last ?? ""
            return cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        }
    }

    @Test func `every test that a row names is there`() throws {
        let names = try Self.namedTests()
        #expect(names.count > 50)
        let folder = Self.project.appending(path: "Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var sources = ""
        while let file = files?.nextObject() as? URL {
            if file.pathExtension == "swift" { sources += try String(contentsOf: file, encoding: .utf8) }
        }
        for name in Set(names) { #expect(sources.contains("func `\(name)`("), "\(name)") }
    }

    @Test func `every row has four cells`() throws {
        for row in try Self.pages().flatMap({ $0.split(separator: "\n") }).filter({ $0.hasPrefix("|") }) {
            #expect(row.split(separator: "|", omittingEmptySubsequences: false).count == 6, "\(row)")
        }
    }
}
