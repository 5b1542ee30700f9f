import Base
import NotificationModel
import Testing

@Suite struct JSONNodeTests {
    private let root: JSONNode

    init() throws {
        root = JSONNode(
            try JSONParser.value(
                of:
                    #"{"a/b":{"c~d":[7,{"url":"u"},"1.5"]},"k":1,"k":2,"text":"{\"x\":[\"y\"]}","cut":"{\"x\":","empty":"","null":null}"#
            ))
    }

    @Test func `a node has the path from the root to its value`() {
        let node = root["a/b"]["c~d"][1]["url"]
        #expect(node.text == "u")
        #expect(node.path.description == "/a~1b/c~0d/1/url")
        #expect(root.path.description == "")
    }

    @Test func `a missing value has no members at any depth`() {
        for node in [
            root["none"]["x"][3], root["k"]["x"], root["a/b"][0], root["a/b"]["c~d"][3], root["a/b"]["c~d"][-1],
        ] {
            #expect(!node.exists)
            #expect(node.text == nil && node.elements.isEmpty && node.members.isEmpty)
        }
        #expect(root["null"].exists)
        #expect(root["empty"].string == "" && root["empty"].text == nil)
    }

    @Test func `the last value of a repeated key is used, and the key is listed once`() {
        #expect(root["k"].integer == 2)
        #expect(root.members.map(\.key) == ["a/b", "k", "text", "cut", "empty", "null"])
        #expect(root.members[1].node.integer == 2)
    }

    @Test func `JSON in a string is read as a part of the value, and truncated JSON is ignored`() {
        #expect(root["text"].embedded["x"][0].text == "y")
        #expect(root["text"].embedded["x"][0].path.description == "/text/x/0")
        #expect(!root["cut"].embedded.exists)
        #expect(!root["k"].embedded.exists)
    }

    @Test(
        arguments: [
            ("7", 7), ("7.0", 7), (#""7""#, 7), (#""-7""#, -7), (#""7.0""#, 7), (#""""#, nil), (#""7 ""#, nil),
            (#""0x7""#, nil), (#""inf""#, nil), (#""7e9""#, nil), ("7.5", nil), ("true", nil), (#""-""#, nil),
        ] as [(String, Int?)])
    func `a whole number is also read from a string of digits`(text: String, number: Int?) throws {
        #expect(JSONNode(try JSONParser.value(of: text)).looseInteger == number)
    }

    @Test func `a replacement changes only the value at its path`() throws {
        let value = try #require(root.value)
        let changed = value.replacing(root["a/b"]["c~d"][1]["url"].path, with: "v")
        #expect(JSONNode(changed)["a/b"]["c~d"][1]["url"].text == "v")
        #expect(changed.replacing(root["a/b"]["c~d"][1]["url"].path, with: "u") == value)
        let embedded = value.replacing(root["text"].embedded["x"][0].path, with: "z")
        #expect(JSONNode(embedded)["text"].text == #"{"x":["z"]}"#)
        #expect(JSONNode(value.replacing(root["k"].path, with: 3))["k"].integer == 3)
    }

    @Test func `a replacement at a missing path does not change the value`() throws {
        let value = try #require(root.value)
        for node in [root["none"], root["k"]["x"], root["a/b"]["c~d"][9], root["cut"].embedded["x"]] {
            #expect(value.replacing(node.path, with: "v") == value)
        }
    }
}
