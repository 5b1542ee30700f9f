import HTTPTypes
import Testing

@testable import HTTPCaching

@Suite struct FieldNamesTests {
    @Test func `names with the same index in the table are each read correctly`() {
        var names = FieldNames()
        // `all` has the 216 names of three of these letters. The table has fewer entries.
        let letters = ["a", "b", "C", "-", "e", "F"]
        let all = letters.flatMap { a in letters.flatMap { b in letters.map { a + b + $0 } } }
        for _ in 0..<3 {
            for name in all {
                let bytes = Array(name.utf8)
                let found = names.name(bytes.span)
                #expect(found?.rawName == name)
                #expect(found?.canonicalName == name.lowercased())
            }
        }
    }

    @Test func `a long name is read, and is not cached`() throws {
        var names = FieldNames()
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 90_000)
        let found = names.name(bytes.span)
        #expect(found?.rawName.utf8.count == 90_000)
        let kept = try #require(Mirror(reflecting: names).descendant("names") as? [HTTPField.Name?])
        #expect(kept.count > 0 && kept.allSatisfy { $0 == nil })
    }
}
