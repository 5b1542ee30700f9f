import Base
import NotificationModel
import Testing

@Suite struct JSONValueReadingTests {
    private static let one: [JSONValue] = [nil, true, 7, "x", ["x"], ["x": 1]]

    @Test(arguments: one)
    func `a value has exactly one type`(value: JSONValue) {
        let answers = [
            value == .null, value.bool != nil, value.integer != nil, value.string != nil, value.array != nil,
            value.object != nil,
        ]
        #expect(answers.count { $0 } == 1)
        #expect(answers.firstIndex(of: true) == Self.one.firstIndex(of: value))
        #expect((value.double != nil) == (value.integer != nil))
    }

    @Test(arguments: zip(one, ["null", "a boolean", "a number", "a string", "an array", "an object"]))
    func `each JSON type has a readable name`(value: JSONValue, name: String) {
        #expect(value.typeName == name)
    }

    @Test(arguments: [
        ("1", true), ("true", true), ("1.0", true), ("1e0", true), ("0", false), ("2", false), ("-1", false),
        ("false", false), ("null", false), ("\"1\"", false), ("\"true\"", false), ("[1]", false), ("{\"a\":1}", false),
        ("1.5", false), ("1e400", false),
    ])
    func `a flag in Apple's format is set only by 1 and by true`(text: String, isSet: Bool) throws {
        #expect(try JSONParser.value(of: text).isSet == isSet)
    }

    @Test(
        arguments: [
            ("\"a\"", "a"), ("7", "7"), ("12345678901234567890123", "12345678901234567890123"), ("1e3", "1e3"),
            ("\"\"", nil), ("true", nil), ("null", nil), ("[]", nil), ("{}", nil),
        ] as [(String, String?)])
    func `an identifier is read from a string or a number's digits`(text: String, identifier: String?) throws {
        #expect(try JSONParser.value(of: text).identifier == identifier)
    }

    @Test func `a path through a missing value has no value`() throws {
        let value: JSONValue? = try JSONParser.value(of: #"{"a":{"b":{"c":1}},"n":7,"z":null}"#)
        #expect(value["a"]["b"]["c"]?.integer == 1)
        for missing in [
            value["a"]["x"]["c"], value["n"]["b"], value["z"]["b"], value["x"]["y"]["z"], value["a"]["b"]["x"],
        ] {
            #expect(missing == nil)
        }
        #expect(value["z"] == .null)
    }
}
