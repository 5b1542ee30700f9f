import JSON
import Testing

@Suite struct JSONFootprintTests {
    @Test(arguments: [
        ("", 0), ("{}", 1), ("[1,2,3]", 3), (#"{"a":1,"b":[true]}"#, 7), (#"{"a":"[1,2]"}"#, 6), (#"["\\",1]"#, 3),
    ])
    func `each value and member counts, also in JSON that is in a string`(_ text: String, _ marks: Int) {
        #expect(JSONFootprint.estimate(of: Array(text.utf8)[...]) == text.utf8.count + 64 * marks)
    }

    /// A member of a large object is in its array, which may have room for twice as many, and in its table of keys.
    @Test func `the estimate is at least the size of the parsed value`() {
        let members = (0..<10_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let least = 10_000 * 2 * (MemoryLayout<JSONObject.Member>.stride + MemoryLayout<(String, Int)>.stride)
        #expect(JSONFootprint.estimate(of: Array("{\(members)}".utf8)[...]) >= least)
    }
}
