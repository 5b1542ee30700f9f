import Testing

@testable import Base

@Suite struct JSONStringTests {
    private static func scalars(of body: String) throws -> [UInt32] {
        try #require(try JSONParser.value(of: "\"\(body)\"").string).unicodeScalars.map(\.value)
    }

    @Test(
        arguments: [
            (#"\""#, [0x22]), (#"\\"#, [0x5C]), (#"\/"#, [0x2F]), ("/", [0x2F]), (#"\b"#, [0x08]), (#"\f"#, [0x0C]),
            (#"\n"#, [0x0A]), (#"\r"#, [0x0D]), (#"\t"#, [0x09]), (#"\u0000"#, [0]), (#"\u001f"#, [0x1F]),
            (#"\u00E9"#, [0xE9]), (#"\u00e9"#, [0xE9]), ("\u{7F}", [0x7F]), (#"\uFFFF"#, [0xFFFF]),
            ("\u{2028}", [0x2028]), ("a\\u0062c", [0x61, 0x62, 0x63]),
            (#"\\u0041"#, [0x5C, 0x75, 0x30, 0x30, 0x34, 0x31]),
            // Composed and decomposed letters stay unchanged.
            ("\u{E9}", [0xE9]), ("e\u{301}", [0x65, 0x301]), (#"e\u0301"#, [0x65, 0x301]), ("\u{1F468}", [0x1F468]),
        ] as [(String, [UInt32])])
    func `an escape is read as the scalar that it represents`(body: String, scalars: [UInt32]) throws {
        #expect(try Self.scalars(of: body) == scalars)
    }

    @Test(
        arguments: [
            (#"\uD83D\uDE00"#, [0x1F600]), (#"\ud83d\ude00"#, [0x1F600]), (#"\uD800\uDC00"#, [0x10000]),
            (#"\uDBFF\uDFFF"#, [0x10FFFF]), (#"\uD83D"#, [0xFFFD]), (#"\uDE00"#, [0xFFFD]),
            (#"\uDE00\uD83D"#, [0xFFFD, 0xFFFD]), (#"\uDE00\uDE00"#, [0xFFFD, 0xFFFD]), (#"\uD83Dx"#, [0xFFFD, 0x78]),
            (#"\uD83D\n"#, [0xFFFD, 0x0A]),
            (#"\uD83D\u0041"#, [0xFFFD, 0x41]), (#"\uD83D\uD83D\uDE00"#, [0xFFFD, 0x1F600]),
            (#"\uD83D\\uDE00"#, [0xFFFD, 0x5C, 0x75, 0x44, 0x45, 0x30, 0x30]), (#"\uD7FF\uE000"#, [0xD7FF, 0xE000]),
        ] as [(String, [UInt32])])
    func `paired surrogates become one scalar, and a lone surrogate becomes the replacement character`(
        body: String, scalars: [UInt32]
    ) throws {
        #expect(try Self.scalars(of: body) == scalars)
    }

    @Test(
        arguments: [
            (#"\x"#, 3, "\\x is not an escape"), (#"\'"#, 3, "\\' is not an escape"),
            ("\\\n", 3, "\\byte 10 is not an escape"),
            (#"\U0041"#, 3, "\\U is not an escape"), (#"\u"#, 4, "four hexadecimal digits are missing after \\u"),
            (#"\u004"#, 7, "four hexadecimal digits are missing after \\u"),
            (#"\u00g0"#, 6, "four hexadecimal digits are missing after \\u"),
            (#"\u+041"#, 4, "four hexadecimal digits are missing after \\u"),
            ("\\u004\u{FF11}", 7, "four hexadecimal digits are missing after \\u"),
            (#"\uD83D\u12"#, 12, "four hexadecimal digits are missing after \\u"),
        ] as [(String, Int, String)])
    func `an invalid escape is refused with its position`(body: String, column: Int, problem: String) {
        #expect(throws: JSONSyntaxError(line: 1, column: column, problem: problem)) {
            try JSONParser.value(of: "\"\(body)\"")
        }
    }

    @Test(arguments: UInt8(0)..<0x20)
    func `an unescaped control character is refused`(byte: UInt8) {
        #expect(
            throws: JSONSyntaxError(line: 1, column: 3, problem: "a control character must be escaped in a string")
        ) {
            try JSONParser.value(of: Array("\"a".utf8) + [byte] + Array("b\"".utf8))
        }
    }

    @Test(arguments: ["\"", "\"abc", "\"abc\\", "\"abc\\\"", "{\"a"])
    func `a string without an end is refused at the end of the text`(text: String) {
        let error = JSONSyntaxError(line: 1, column: text.utf8.count + 1, problem: "the text ends inside a string")
        #expect(throws: error) { try JSONParser.value(of: text) }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE2, 0x82], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xED, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88],
            [0xFE], [0xFF], [0x61, 0xFF, 0x62],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused, in values and in keys`(bytes: [UInt8]) {
        for (before, behind) in [("[\"a", "b\"]"), ("{\"a", "\":1}")] {
            let error = #expect(throws: JSONSyntaxError.self) {
                try JSONParser.value(of: Array(before.utf8) + bytes + Array(behind.utf8))
            }
            #expect(error?.problem == "the string is not UTF-8")
        }
    }

    @Test func `a string keeps scalars of all planes after writing and reading`() throws {
        var text = ""
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 37) {
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        let read = try JSONParser.value(of: JSONWriter.text(of: .string(text)))
        #expect(Array(try #require(read.string).utf8) == Array(text.utf8))
    }
}
