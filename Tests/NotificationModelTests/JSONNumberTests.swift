import Base
import NotificationModel
import Testing

@Suite struct JSONNumberTests {
    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "0.5", "-0.0", "1.10", "1e5", "1E5", "1e+05", "1E-05", "0e0",
        "123456789012345678901234567890",
        "-9223372036854775809", "18446744073709551616", "0.1000000000000000055511151231257827021181583404541015625",
        "1e400", "-1e400", "1e-400", "1e999999999999999999999", "3.141592653589793238462643383279502884197169399",
    ])
    func `a number is written with the same digits as in its source text`(literal: String) throws {
        let value = try JSONParser.value(of: "[\(literal)]")
        #expect(value == .array([.number(JSONNumber(literal: literal))]))
        #expect(JSONWriter.text(of: value) == "[\(literal)]")
    }

    @Test func `a number of ten thousand digits does not change when it is read and written again`() throws {
        let literal = String(repeating: "9", count: 10_000)
        let value = try JSONParser.value(of: literal)
        #expect(JSONWriter.text(of: value) == literal)
        #expect(value.integer == nil)
        #expect(value.double == nil)
    }

    @Test(
        arguments: [
            ("3", 3), ("3.0", 3), ("3e0", 3), ("30e-1", 3), ("0.3e1", 3), ("-0", 0), ("-0.0", 0), ("-12", -12),
            ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("9.3e18", nil), ("3.5", nil), ("1e400", nil),
            ("-1e400", nil),
        ] as [(String, Int?)])
    func `a number is an integer if it is whole and in range`(literal: String, integer: Int?) {
        #expect(JSONNumber(literal: literal).integer == integer)
    }

    @Test(
        arguments: [
            ("0", 0), ("1.5", 1.5), ("-2e3", -2_000), ("1e308", 1e308), ("5e-324", .leastNonzeroMagnitude),
            ("1e-400", 0), ("1e309", nil),
            ("-1e309", nil), ("18446744073709551616", 18_446_744_073_709_551_616),
        ] as [(String, Double?)])
    func `a number is a double if it is finite`(literal: String, double: Double?) {
        #expect(JSONNumber(literal: literal).double == double)
    }

    @Test(
        arguments: [
            (1.0, "1.0"), (-0.5, "-0.5"), (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"), (.infinity, "0"),
            (-.infinity, "0"), (.nan, "0"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ] as [(Double, String)])
    func `a number that is created from a double is valid JSON`(double: Double, literal: String) throws {
        let number = JSONNumber(double)
        #expect(number.literal == literal)
        #expect(try JSONParser.value(of: literal) == .number(number))
    }
}
