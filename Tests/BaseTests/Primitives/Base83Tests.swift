import Base
import Testing

struct Base83Tests {
    @Test(arguments: [
        (0, 1, "0"), (82, 1, "~"), (83, 2, "10"), (0, 4, "0000"), (0xFF_FFFF, 4, "TSUA"), (6_858, 2, "~q"),
    ])
    func `a number is written with the requested number of digits`(_ value: Int, _ digits: Int, _ text: String) {
        #expect(Base83.text(value, digits: digits) == text)
        #expect(Base83.value(text.utf8) == value)
    }

    @Test func `each of the 83 digits has its own value, and other characters have no value`() {
        let found = (UInt8.min ... .max).compactMap { Base83.value([$0]) }
        #expect(found.sorted() == Array(0..<83))
        #expect(Base83.value("1\"".utf8) == nil)
        #expect(Base83.value("".utf8) == 0)
    }

    @Test func `a text that is too long does not trap`() {
        #expect(Base83.value(String(repeating: "~", count: 9).utf8) == 186_940_255_267_540_402)
        #expect(Base83.value(String(repeating: "~", count: 10).utf8) == nil)
        #expect(Base83.text(-5, digits: 2) == "00")
    }
}
