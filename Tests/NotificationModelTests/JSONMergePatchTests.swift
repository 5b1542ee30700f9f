import Base
import Testing

/// Tests of merge patches (RFC 7396).
@Suite struct JSONMergePatchTests {
    /// The examples of RFC 7396, Appendix A: a target, a patch and the result.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `the examples of the standard have their results`(
        _ target: String, _ patch: String, _ result: String
    ) throws {
        let merged = try JSONParser.value(of: target).merging(JSONParser.value(of: patch))
        #expect(JSONWriter.text(of: merged) == result)
    }

    @Test func `only the last value of a repeated key applies, in the target and in the patch`() throws {
        let target = try JSONParser.value(of: #"{"a":1,"a":2,"b":3,"b":4}"#)
        let patch = try JSONParser.value(of: #"{"a":null,"a":5,"b":6,"b":null}"#)
        let merged = target.merging(patch)
        #expect(merged["a"] == 5)
        #expect(merged["b"] == nil)
    }

    @Test func `a patch with many members takes time in proportion to them`() {
        let count = 100_000
        let target = JSONObject((0..<count).map { ("k\($0)", .number($0)) })
        let patch = JSONObject((0..<count).map { ("k\($0)", $0.isMultiple(of: 2) ? .null : .number(-$0)) })
        let merged = target.merging(patch)
        #expect(merged.members.count == count / 2)
        #expect(merged["k99999"] == -99_999)
    }
}
