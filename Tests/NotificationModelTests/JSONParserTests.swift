import Testing

@testable import Base

private let isNoWord = " is not true, false or null, and a string needs double quotes"

@Suite struct JSONParserTests {
    @Test(
        arguments: [
            ("null", nil), ("true", true), ("false", false), ("0", 0), ("-7", -7), ("\"\"", ""), ("\"a\"", "a"),
            ("[]", []), ("{}", [:]), (" \t\r\n[ \t\r\n] \t\r\n", []), ("{ \"a\" : 1 }", ["a": 1]), ("[1,2]", [1, 2]),
            ("[[],{}]", [[], [:]]), ("{\"\":\"\"}", ["": ""]), ("[null,true,false]", [nil, true, false]),
            ("{\"a\":{\"b\":[1,{\"c\":null}]}}", ["a": ["b": [1, ["c": nil]]]]),
        ] as [(String, JSONValue)])
    func `the parser returns the value of each valid text`(text: String, value: JSONValue) throws {
        #expect(try JSONParser.value(of: text) == value)
    }

    @Test(
        arguments: [
            ("", 1, 1, "there is no JSON value"), (" \n ", 2, 2, "there is no JSON value"),
            ("nul", 1, 1, "nul" + isNoWord), ("True", 1, 1, "True" + isNoWord),
            ("[tru]", 1, 2, "tru" + isNoWord),
            ("truefalse", 1, 5, "there is text after the JSON value"),
            ("'a'", 1, 1, "' cannot begin a value"), ("NaN", 1, 1, "NaN" + isNoWord),
            ("+1", 1, 1, "+ cannot begin a value"), (".5", 1, 1, ". cannot begin a value"),
            ("// a\n1", 1, 1, "/ cannot begin a value"), ("[1]]", 1, 4, "there is text after the JSON value"),
            ("1 2", 1, 3, "there is text after the JSON value"), ("01", 1, 2, "there is text after the JSON value"),
            ("-", 1, 2, "a digit is missing in the number"), ("-a", 1, 2, "a digit is missing in the number"),
            ("1.", 1, 3, "a digit is missing in the number"), ("1.e5", 1, 3, "a digit is missing in the number"),
            ("1e", 1, 3, "a digit is missing in the number"), ("1e+", 1, 4, "a digit is missing in the number"),
            ("1e+-1", 1, 4, "a digit is missing in the number"), ("0x1F", 1, 2, "there is text after the JSON value"),
            ("[", 1, 2, "the text ends where a value should be"), ("[1", 1, 3, "a comma or ] is missing"),
            ("[1,", 1, 4, "the text ends where a value should be"),
            ("[1,]", 1, 3, "the comma before ] must be removed"),
            ("[,1]", 1, 2, ", cannot begin a value"), ("[1 2]", 1, 4, "a comma or ] is missing"),
            ("[1}", 1, 3, "a comma or ] is missing"), ("{", 1, 2, "a key in double quotes is missing"),
            ("{a:1}", 1, 2, "a key in double quotes is missing"), ("{1:1}", 1, 2, "a key in double quotes is missing"),
            ("{\"a\"}", 1, 5, "a colon is missing after the key"),
            ("{\"a\" 1}", 1, 6, "a colon is missing after the key"),
            ("{\"a\":}", 1, 6, "} cannot begin a value"), ("{\"a\":1", 1, 7, "a comma or } is missing"),
            ("{\"a\":1,}", 1, 7, "the comma before } must be removed"),
            ("{\"a\":1\n,\n}", 2, 1, "the comma before } must be removed"),
            ("{\"a\":1,", 1, 8, "a key in double quotes is missing"),
            ("{\"a\":1 \"b\":2}", 1, 8, "a comma or } is missing"),
            ("{\n  \"a\": 1,\n  \"b\": x\n}", 3, 8, "x" + isNoWord),
            ("[1,\r\n2,\r\n,]", 3, 1, ", cannot begin a value"), ("\u{A0}1", 1, 1, "byte 194 cannot begin a value"),
            ("[1]\u{0}", 1, 4, "there is text after the JSON value"), ("\u{0}", 1, 1, "byte 0 cannot begin a value"),
        ] as [(String, Int, Int, String)])
    func `the parser refuses each invalid text with the position of the error`(
        text: String, line: Int, column: Int, problem: String
    ) {
        #expect(throws: JSONSyntaxError(line: line, column: column, problem: problem)) {
            try JSONParser.value(of: text)
        }
    }

    @Test func `the text of an error has the line, the column and the problem`() {
        #expect("\(JSONSyntaxError(line: 3, column: 8, problem: "x"))" == "line 3, column 8: x")
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")], ["", "1", "\"b\""])
    func `the parser accepts a nesting of 128 arrays and objects, and refuses 129`(
        _ brackets: (opening: String, closing: String), _ innermost: String
    ) throws {
        let (opening, closing) = brackets
        func text(_ depth: Int) -> String {
            // An object without a member has no key.
            let inner = innermost.isEmpty ? String(opening.prefix(1)) : opening + innermost
            return String(repeating: opening, count: depth - 1) + inner + String(repeating: closing, count: depth)
        }
        let limit = JSONParser.deepestNesting
        var value = try JSONParser.value(of: text(limit))
        var depth = 1
        while let inner = value.array?.first ?? value["a"], inner.array != nil || inner.object != nil {
            (value, depth) = (inner, depth + 1)
        }
        #expect(depth == limit)
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.value(of: text(limit + 1)) }
        #expect(error?.problem == "nested more than 128 deep")
        #expect(error?.column == limit * opening.utf8.count + 1)
    }

    @Test func `a million opening brackets are refused at the nesting limit`() {
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONParser.value(of: [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
        }
        #expect(error?.problem == "nested more than 128 deep")
    }

    @Test func `the last value of a repeated key is used, and all values are written again`() throws {
        let value = try JSONParser.value(of: #"{"a":1,"b":2,"a":3}"#)
        #expect(value["a"] == 3)
        #expect(value.object?.keys == ["a", "b", "a"])
        #expect(JSONWriter.text(of: value) == #"{"a":1,"b":2,"a":3}"#)
    }

    @Test func `several values in one text are read one after the other`() throws {
        var parser = JSONParser(Array("{\"n\":1}\n\n{\"n\":2} [3]\"4\"5 null\n".utf8))
        var values: [JSONValue] = []
        while let value = try parser.next() { values.append(value) }
        #expect(values == [["n": 1], ["n": 2], [3], "4", 5, nil])
        #expect(try parser.next() == nil)
    }

    @Test func `values before an error are read, and the error has its position in the whole text`() throws {
        var parser = JSONParser(Array("{\"n\":1}\n{\"n\":}\n{\"n\":3}".utf8))
        #expect(try parser.next() == ["n": 1])
        let error = JSONSyntaxError(line: 2, column: 6, problem: "} cannot begin a value")
        #expect(throws: error) { try parser.next() }
    }

    @Test(arguments: ["", " ", "\n\t\r "])
    func `a text of white space has no values`(text: String) throws {
        var parser = JSONParser(Array(text.utf8))
        #expect(try parser.next() == nil)
    }

    @Test func `a byte order mark is ignored only at the beginning`() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try JSONParser.value(of: mark + Array("[1]".utf8)) == [1])
        #expect(throws: JSONSyntaxError(line: 1, column: 1, problem: "there is no JSON value")) {
            try JSONParser.value(of: mark)
        }
        #expect(throws: JSONSyntaxError(line: 1, column: 2, problem: "x" + isNoWord)) {
            try JSONParser.value(of: mark + Array("[x".utf8))
        }
        #expect(throws: JSONSyntaxError(line: 1, column: 2, problem: "byte 239 cannot begin a value")) {
            try JSONParser.value(of: Array("[".utf8) + mark + Array("1]".utf8))
        }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.value(of: mark + mark + Array("1".utf8)) }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.value(of: [0xEF, 0xBB]) }
    }
}
