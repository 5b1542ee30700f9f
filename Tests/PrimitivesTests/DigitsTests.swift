import Primitives
import Testing

struct DigitsTests {
    @Test func `each byte has two lower-case hexadecimal digits`() {
        #expect(Hexadecimal.text(of: [0x00, 0x0A, 0x9F, 0xFF] as [UInt8]) == "000a9fff")
        #expect(UInt64(0xAB).hexadecimal(digits: 4) == "00ab")
        #expect(UInt32(0x1F600).hexadecimal(digits: 4, uppercase: true) == "1F600")
    }

    @Test func `an upper-case digit is not a lower-case one`() {
        #expect(Hexadecimal.isLowercase("09af") && !Hexadecimal.isLowercase("0A") && !Hexadecimal.isLowercase("g"))
    }

    @Test(arguments: ["", "-1", "+1", "1_0", " 1", "1 ", "1e3", "٣", "12345"])
    func `a text with other characters or too many digits is not a number`(text: String) {
        #expect(Int(decimalDigits: text, atMost: 4) == nil)
    }

    @Test func `digits are a number, with zeros before it too`() {
        #expect(Int(decimalDigits: "0042", atMost: 4) == 42)
        #expect(Int(decimalDigits: "999999999999999999", atMost: 18) == 999_999_999_999_999_999)
        #expect(0.25.roundedToTenths == 0.3)
        #expect("7".padded(to: 3) == "007")
    }
}
