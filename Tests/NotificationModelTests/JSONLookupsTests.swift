import Base
import Testing

/// Tests of the recorded lookups in a payload, with the path of each lookup and the types that the lookup accepts.
@Suite struct JSONLookupsTests {
    private let lookups = JSONLookups()

    private func node(_ text: String) throws -> JSONNode {
        JSONNode(try JSONParser.value(of: text), recordedIn: lookups)
    }

    private var wrong: [String] { lookups.all.filter(\.isOfWrongType).map(\.path.description) }

    @Test func `each path is recorded once, in the order of the first lookups`() throws {
        let root = try node(#"{"a": {"b": 1}, "list": [{"c": 2}]}"#)
        _ = root["missing"].text
        _ = root["a"]["b"].integer
        _ = root["list"].elements.map { $0["c"].string }
        _ = root["a"]["b"].string
        #expect(
            lookups.all.map(\.path.description) == ["", "/missing", "/a", "/a/b", "/list", "/list/0", "/list/0/c"])
        #expect(lookups.all.first { $0.path.description == "/a/b" }?.kinds == [.number, .string])
        #expect(lookups.all.filter { $0.value == nil }.map(\.path.description) == ["/missing"])
    }

    @Test func `a value that no accessor accepts has the wrong type`() throws {
        let root = try node(#"{"text": 1, "object": "x", "list": {}, "flag": "1", "id": true, "null": null}"#)
        _ = (root["text"].text, root["object"]["member"].text, root["list"].elements, root["flag"].isSet)
        _ = (root["id"].identifier, root["null"].text)
        #expect(wrong == ["/text", "/object", "/list", "/flag", "/id"])
    }

    @Test func `a value that one of several accessors accepts has the right type`() throws {
        let root = try node(#"{"either": {}, "loose": "7", "empty": "", "any": 1}"#)
        _ = (root["either"].text, root["either"].object, root["loose"].looseInteger, root["empty"].identifier)
        _ = (root["any"].text, root["any"].value)
        #expect(wrong.isEmpty)
    }

    @Test func `a guess or an unrecorded use of a value is not recorded as a wrong type`() throws {
        let root = try node(#"{"data": 7, "image": 7}"#)
        _ = (root.guess("data").guess("image").exists, root["image"].unrecorded.text)
        #expect(wrong.isEmpty)
        #expect(lookups.all.map(\.path.description) == ["", "/data", "/data/image", "/image"])
    }
}
