import Base
import Testing

@Suite struct JSONFootprintTests {
    @Test(arguments: [
        ("", 0), ("{}", 1), ("[1,2,3]", 3), (#"{"a":1,"b":[true]}"#, 7), (#"{"a":"[1,2]"}"#, 6), (#"["\\",1]"#, 3),
    ])
    func `the estimate includes each value and member, also in embedded JSON`(_ text: String, _ marks: Int) {
        #expect(JSONFootprint.estimate(of: Array(text.utf8)[...]) == text.utf8.count + 64 * marks)
    }

    /// A large object stores each member in an array, which may have twice the necessary capacity, and in a table of
    /// keys.
    @Test func `the estimate is at least the size of the parsed value`() {
        let members = (0..<10_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let least = 10_000 * 2 * (MemoryLayout<JSONObject.Member>.stride + MemoryLayout<(String, Int)>.stride)
        #expect(JSONFootprint.estimate(of: Array("{\(members)}".utf8)[...]) >= least)
    }
}
