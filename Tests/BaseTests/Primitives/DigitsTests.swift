import Base
import Testing

struct DigitsTests {
    @Test func `each byte has two lower-case hexadecimal digits`() {
        #expect(Hexadecimal.text(of: [0x00, 0x0A, 0x9F, 0xFF] as [UInt8]) == "000a9fff")
        #expect(UInt64(0xAB).hexadecimal(digits: 4) == "00ab")
        #expect(UInt32(0x1F600).hexadecimal(digits: 4, uppercase: true) == "1F600")
    }

    @Test func `upper-case hexadecimal digits are not accepted as lower-case digits`() {
        #expect(Hexadecimal.isLowercase("09af") && !Hexadecimal.isLowercase("0A") && !Hexadecimal.isLowercase("g"))
    }

    @Test(arguments: ["", "-1", "+1", "1_0", " 1", "1 ", "1e3", "٣", "12345"])
    func `a text with other characters than digits, or with too many digits, is not parsed as a number`(text: String) {
        #expect(Int(decimalDigits: text, atMost: 4) == nil)
    }

    @Test func `decimal digits are parsed as a number, also with leading zeros`() {
        #expect(Int(decimalDigits: "0042", atMost: 4) == 42)
        #expect(Int(decimalDigits: "999999999999999999", atMost: 18) == 999_999_999_999_999_999)
        #expect(0.25.roundedToTenths == 0.3)
        #expect("7".padded(to: 3) == "007")
    }
}
