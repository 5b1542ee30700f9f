import Foundation
import Lab
import OriginFaults
import TestSupport
import Testing

struct FaultReferenceTests {
    @Test func `the reference page in docs is equal to the generated page`() throws {
        let text = FaultReference.markdown
        let page = try Golden.page("use/lab.md", made: text)
        #expect(text == page, "docs/use/lab.md differs from the generated page; REWRITE_GOLDENS=1 rewrites it")
    }

    @Test func `the reference page lists each fault once`() {
        for entry in FaultReference.entries {
            let row = "\n| `\(entry.path)` | \(entry.meaning) |\n"
            #expect(FaultReference.markdown.components(separatedBy: row).count == 2, "\(entry.path)")
        }
    }

    @Test(arguments: FaultReference.entries.map(\.path))
    func `each path of the reference is parsed as a fault`(path: String) throws {
        let entry = try #require(FaultReference.entries.first { $0.path == path })
        let parsed = try OriginRequestPath(parsing: entry.example(of: "a b/photo.jpg"))
        #expect(!parsed.faults.isEmpty)
        #expect(["a b/photo.jpg", ""].contains(parsed.filePath))
    }

    @Test func `the reference text for a terminal fits into two columns`() {
        let lines = FaultReference.text.split(separator: "\n")
        #expect(lines.count == FaultReference.entries.count)
        #expect(lines.allSatisfy { $0.count <= 80 && $0.hasPrefix("  /") })
        #expect(lines.first == "  /delay/2s/…             answers after two seconds")
    }
}
