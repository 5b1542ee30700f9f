import Base
import NotificationModel
import TestSupport
import Testing

@Suite struct JSONRoundTripTests {
    @Test func `each payload sample does not change when it is written, on one line or indented, and read again`()
        throws
    {
        let samples = try PayloadSamples.all()
        #expect(samples.count >= 9)
        for (name, bytes) in samples {
            let value = try JSONParser.value(of: bytes)
            for pretty in [false, true] {
                let text = JSONWriter.text(of: value, pretty: pretty)
                #expect(try JSONParser.value(of: text) == value, "\(name)")
                #expect(JSONWriter.text(of: try JSONParser.value(of: text), pretty: pretty) == text, "\(name)")
            }
            #expect(!JSONWriter.text(of: value).contains("\n"), "\(name)")
        }
    }

    @Test func `a text on one line has no white space`() throws {
        let text = #"{"b":[1,2.50,{"x":null}],"a":"é\"\\/","e":{},"f":[],"t":true}"#
        #expect(JSONWriter.text(of: try JSONParser.value(of: text)) == text)
    }

    @Test func `an indented text has two spaces per level, and empty brackets on one line`() throws {
        let value = try JSONParser.value(of: #"{"b":[1,{"x":null}],"e":{},"f":[],"s":"a"}"#)
        #expect(
            JSONWriter.text(of: value, pretty: true) == """
                {
                  "b": [
                    1,
                    {
                      "x": null
                    }
                  ],
                  "e": {},
                  "f": [],
                  "s": "a"
                }
                """)
    }

    @Test func `only control characters, quotes and backslashes are escaped`() {
        let text = "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \"\\/\u{7F}\u{E9}\u{2028}\u{1F600}\r\n"
        #expect(
            JSONWriter.text(of: .string(text))
                == "\"\\u0000\\u0001\\u0008\\t\\n\\u000b\\u000c\\r\\u001f \\\"\\\\/\u{7F}\u{E9}\u{2028}\u{1F600}\\r\\n\""
        )
    }

    @Test func `random values do not change when they are written and read again`() throws {
        var generator = SeededGenerator(seed: 0xA9D)
        for _ in 0..<500 {
            let value = Self.value(depth: 0, &generator)
            for pretty in [false, true] {
                let text = JSONWriter.text(of: value, pretty: pretty)
                try #require(try JSONParser.value(of: text) == value, "\(text)")
            }
        }
    }

    private static func value(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth < 5 ? 8 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .number(JSONNumber(Int.random(in: .min ... .max, using: &generator)))
        case 3: return .number(JSONNumber(Double(bitPattern: generator.next())))
        case 4, 5: return .string(string(&generator))
        case 6:
            return .array(
                (0..<Int.random(in: 0..<5, using: &generator)).map { _ in value(depth: depth + 1, &generator) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                object.append(string(&generator), value(depth: depth + 1, &generator))
            }
            return .object(object)
        }
    }

    private static func string(_ generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            let bound: UInt32 = [0x20, 0x80, 0x3000, 0x10FFFF].randomElement(using: &generator) ?? 0
            if let scalar = Unicode.Scalar(UInt32.random(in: 0...bound, using: &generator)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
