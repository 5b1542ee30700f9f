import Lab
import Testing

struct FaultReferenceTests {
    @Test(arguments: FaultReference.entries.map(\.path))
    func `every path of the reference is a fault`(path: String) throws {
        let target = path.replacing("…", with: "photo.jpg")
            .replacing("NAME:VALUE", with: "Age:1").replacing("URL", with: "http:").replacing("FILE", with: "a.png")
        let parsed = try OriginRequestPath(parsing: target)
        #expect(!parsed.faults.isEmpty)
        #expect(["photo.jpg", ""].contains(parsed.filePath))
    }

    @Test func `the text fits a terminal, in two columns`() {
        let lines = FaultReference.text.split(separator: "\n")
        #expect(lines.count == FaultReference.entries.count)
        #expect(lines.allSatisfy { $0.count <= 80 && $0.hasPrefix("  /") })
        #expect(lines.first == "  /delay/2s/…             answers after two seconds")
    }
}
