import Base
import NotificationModel
import TestSupport
import Testing

/// Tests of the validator: values that pass and values that fail each keyword.
@Suite struct JSONSchemaTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let schema: String
        let passing: [String]
        let failing: [String]

        init(_ schema: String, passes passing: [String], fails failing: [String]) {
            (self.schema, self.passing, self.failing) = (schema, passing, failing)
        }

        var testDescription: String { schema }
    }

    private static let types = [
        Case(#"{"type":"null"}"#, passes: ["null"], fails: ["0", "false", #""""#, "[]", "{}"]),
        Case(#"{"type":"boolean"}"#, passes: ["true", "false"], fails: ["null", "1", #""true""#, "[]", "{}"]),
        Case(#"{"type":"number"}"#, passes: ["1", "-1.5", "1e400"], fails: ["null", "true", #""1""#, "[1]"]),
        Case(
            #"{"type":"integer"}"#, passes: ["1", "-7", "3.0", "3e2", "123456789012345678901234567890"],
            fails: ["1.5", "1e-1", "true", #""1""#, "null"]),
        Case(#"{"type":"string"}"#, passes: [#""""#, #""x""#], fails: ["1", "null", "[]", "{}"]),
        Case(#"{"type":"array"}"#, passes: ["[]", "[1]"], fails: ["{}", "null", #""[]""#]),
        Case(#"{"type":"object"}"#, passes: ["{}", #"{"a":1}"#], fails: ["[]", "null", #""{}""#]),
        Case(#"{"type":["string","null"]}"#, passes: [#""x""#, "null"], fails: ["1", "[]"]),
        Case(#"{"type":[]}"#, passes: [], fails: ["1", "null"]),
    ]

    private static let values = [
        Case(
            #"{"enum":["a",1,null,[1],{"a":1,"b":2}]}"#,
            passes: [#""a""#, "1", "1.0", "1e0", "10e-1", "null", "[1.0]", #"{"b":2,"a":1}"#],
            fails: [#""b""#, "2", "true", "[]", "[1,1]", "{}", #"{"a":1}"#, #"{"a":1,"b":3}"#, #"{"a":1,"b":2,"c":3}"#]),
        Case(#"{"const":1}"#, passes: ["1", "1.0"], fails: ["2", #""1""#, "true", "null"]),
        Case(#"{"const":null}"#, passes: ["null"], fails: ["0", "{}"]),
        Case(#"{"minimum":2}"#, passes: ["2", "2.5", "1e400", #""x""#, "null"], fails: ["1.99", "-1e400"]),
        Case(#"{"maximum":2}"#, passes: ["2", "-1e400", "[9]"], fails: ["2.01", "1e400"]),
        Case(#"{"minLength":2}"#, passes: [#""ab""#, #""e\u0301""#, "7", "[]"], fails: [#""a""#, #""\ud83d\ude00""#]),
        Case(#"{"maxLength":1}"#, passes: [#""a""#, #""\ud83d\ude00""#, "77"], fails: [#""ab""#, #""e\u0301""#]),
        Case(
            #"{"pattern":"^[a-c]+$"}"#, passes: [#""abc""#, "7", "null"],
            fails: [#""abd""#, #""""#, #""a\n""#, #""\na""#, #""a\u0301""#, #""A""#]),
        Case(#"{"pattern":"b"}"#, passes: [#""abc""#], fails: [#""ac""#]),
        Case(#"{"pattern":"^(?=\\.?[0-9])\\.*s$"}"#, passes: [], fails: [#""s""#, #"".s""#, #"".5s""#]),
        Case(
            #"{"format":"date-time"}"#,
            passes: [
                #""2027-01-15T08:00:00Z""#, #""2028-02-29t12:00:00.123z""#, #""2016-12-31T23:59:60Z""#,
                #""2027-01-15T10:30:00-02:30""#, "7",
            ],
            fails: [
                #""""#, #""2027-01-15""#, #""2027-01-15T08:00:00""#, #""2027-02-29T08:00:00Z""#,
                #""2100-02-29T08:00:00Z""#, #""2027-04-31T08:00:00Z""#, #""2027-01-00T08:00:00Z""#,
                #""2027-13-15T08:00:00Z""#, #""2027-01-15T24:00:00Z""#, #""2027-01-15T08:00:61Z""#,
                #""2027-01-15T08:00:00.Z""#, #""2027-01-15T08:00:00Z\n""#, #""2027-01-15T08:00:00+24:00""#,
            ]),
    ]

    private static let containers = [
        Case(#"{"required":["a","b"]}"#, passes: [#"{"a":1,"b":null}"#, "[]"], fails: [#"{"a":1}"#, "{}"]),
        Case(
            #"{"properties":{"a":{"type":"string"}}}"#,
            passes: ["{}", #"{"a":"x"}"#, #"{"b":1}"#, #"{"a":1,"a":"x"}"#],
            fails: [#"{"a":1}"#, #"{"a":"x","a":1}"#]),
        Case(
            #"{"properties":{"a":true},"additionalProperties":false}"#, passes: ["{}", #"{"a":1}"#, "[]"],
            fails: [#"{"b":1}"#, #"{"a":1,"b":null}"#]),
        Case(
            #"{"additionalProperties":{"type":"null"}}"#, passes: ["{}", #"{"a":null}"#],
            fails: [#"{"a":1}"#, #"{"a":null,"b":1}"#]),
        Case(#"{"items":{"type":"string"}}"#, passes: ["[]", #"["a"]"#, "{}"], fails: ["[1]", #"["a",null]"#]),
        Case(#"{"minItems":1}"#, passes: ["[1]", "[1,2]", "{}", #""""#], fails: ["[]"]),
        Case(#"{"maxItems":0}"#, passes: ["[]", #"{"a":1}"#], fails: ["[1]"]),
    ]

    private static let combinations = [
        Case("true", passes: ["1", "null"], fails: []),
        Case("false", passes: [], fails: ["1", "null"]),
        Case("{}", passes: ["1", "null"], fails: []),
        Case(#"{"allOf":[{"minimum":1},{"maximum":3}]}"#, passes: ["1", "3"], fails: ["0", "4"]),
        Case(#"{"anyOf":[{"type":"null"},{"minimum":3}]}"#, passes: ["null", "3", #""x""#], fails: ["2"]),
        Case(#"{"oneOf":[{"maximum":3},{"minimum":2}]}"#, passes: ["1", "4"], fails: ["2", "3", #""both""#]),
        Case(#"{"oneOf":[{"type":"null"},{"type":"string"}]}"#, passes: ["null", #""x""#], fails: ["1"]),
        Case(#"{"not":{"type":"null"}}"#, passes: ["1"], fails: ["null"]),
        Case(
            #"{"if":{"type":"string"},"then":{"minLength":1},"else":{"type":"null"}}"#, passes: [#""x""#, "null"],
            fails: [#""""#, "1"]),
        Case(#"{"if":{"type":"string"},"then":{"minLength":1}}"#, passes: ["1", #""x""#], fails: [#""""#]),
        Case(#"{"if":{"type":"string"},"else":{"type":"null"}}"#, passes: [#""""#, "null"], fails: ["1"]),
        Case(
            ##"{"$defs":{"tree":{"type":"array","items":{"$ref":"#/$defs/tree"}}},"$ref":"#/$defs/tree"}"##,
            passes: ["[]", "[[],[[]]]"], fails: ["1", "[[],[1]]"]),
        Case(
            ##"{"$defs":{"a":{"minimum":1}},"$ref":"#/$defs/a","maximum":2}"##, passes: ["1", "2"], fails: ["0", "3"]),
        Case(#"{"title":"t","description":"d","default":7,"$id":"x"}"#, passes: ["1", "null"], fails: []),
    ]

    @Test(arguments: types + values + containers + combinations)
    func `a keyword accepts only the values that it describes`(example: Case) throws {
        let schema = try JSONSchema(try JSONParser.value(of: example.schema))
        for text in example.passing {
            #expect(schema.violations(of: try JSONParser.value(of: text)) == [], "\(text)")
        }
        for text in example.failing {
            #expect(!schema.violations(of: try JSONParser.value(of: text)).isEmpty, "\(text)")
        }
    }

    @Test func `each violation is reported with its path in the value and in the schema`() throws {
        let schema = try JSONSchema(
            try JSONParser.value(
                of: ##"""
                    {"$defs":{"name":{"minLength":2,"pattern":"^[a-z]*$"}},
                     "properties":{"a/b":{"items":{"$ref":"#/$defs/name"}},
                     "c":{"anyOf":[{"type":"null"},{"minimum":3}]}},
                     "required":["d"],"additionalProperties":false}
                    """##))
        let found = schema.violations(of: try JSONParser.value(of: #"{"a/b":["ok","7"],"c":2,"e":1}"#))
        #expect(
            Set(found.map { "\($0.place) \($0.keyword)" }) == [
                " /required", "/a~1b/1 /$defs/name/minLength", "/a~1b/1 /$defs/name/pattern",
                "/c /properties/c/anyOf", "/c /properties/c/anyOf/0/type", "/c /properties/c/anyOf/1/minimum",
                "/e /additionalProperties",
            ])
        #expect(found.count == 7)
        let required = try #require(found.first { $0.keyword.description == "/required" })
        #expect("\(required)" == #""" has no "d" (/required)"#)
    }

    @Test(arguments: [
        (#"{"types":"string"}"#, "/types"), (#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#, "/$schema"),
        (#"{"properties":{"a":{"minimun":1}}}"#, "/properties/a/minimun"), ("7", ""), ("null", ""),
        (#"{"properties":{"a":7}}"#, "/properties/a"), (#"{"properties":[]}"#, "/properties"),
        (#"{"additionalProperties":{"uniqueItems":true}}"#, "/additionalProperties/uniqueItems"),
        (#"{"properties":{},"additionalProperties":1}"#, "/additionalProperties"),
        (#"{"type":"text"}"#, "/type"), (#"{"type":["null",7]}"#, "/type/1"), (#"{"enum":[]}"#, "/enum"),
        (#"{"enum":"a"}"#, "/enum"), (#"{"required":[7]}"#, "/required/0"), (#"{"required":"a"}"#, "/required"),
        (#"{"minLength":-1}"#, "/minLength"),
        (#"{"maxItems":"1"}"#, "/maxItems"), (#"{"minimum":"1"}"#, "/minimum"), (#"{"pattern":"("}"#, "/pattern"),
        (#"{"pattern":7}"#, "/pattern"), (#"{"format":"uri"}"#, "/format"), (#"{"allOf":[]}"#, "/allOf"),
        (#"{"allOf":{}}"#, "/allOf"), (#"{"anyOf":[{"typ":"null"}]}"#, "/anyOf/0/typ"), (#"{"oneOf":[1]}"#, "/oneOf/0"),
        (#"{"not":1}"#, "/not"), (#"{"if":1}"#, "/if"), (#"{"if":true,"then":1}"#, "/then"),
        (#"{"if":true,"else":{"a":1}}"#, "/else/a"), (#"{"then":true}"#, "/then"), (#"{"else":true}"#, "/else"),
        (##"{"$ref":"#/$defs/a"}"##, "/$ref"), (#"{"$ref":"other.json"}"#, "/$ref"), (##"{"$ref":"#"}"##, "/$ref"),
        (#"{"$defs":{"a":{"b":1}}}"#, "/$defs/a/b"), (#"{"$defs":[]}"#, "/$defs"),
        (#"{"not":{"$defs":{}}}"#, "/not/$defs"), (#"{"minimum":1,"minimum":2}"#, ""),
    ])
    func `a schema with an unsupported part is refused with the path of that part`(text: String, place: String) throws {
        let value = try JSONParser.value(of: text)
        let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(value) }
        #expect(error?.place.description == place)
        #expect(error?.problem.isEmpty == false)
    }
}
