import MediaHeaders
import Testing

@Suite struct ImageOrientationTests {
    private static let (byte, short, long) = (1, 3, 4)

    /// Returns an EXIF block whose directory has the orientation as its only entry.
    private func block(_ value: Int, type: Int, count: Int = 1, isLittleEndian: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ bytes: Int) -> [UInt8] {
            let little = (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) }
            return isLittleEndian ? little : little.reversed()
        }
        let field =
            type == Self.long
            ? number(value, 4) : type == Self.short ? number(value, 2) + [0, 0] : [UInt8(value), 0, 0, 0]
        return Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(1, 2)
            + number(0x0112, 2) + number(type, 2) + number(count, 4) + field + number(0, 4)
    }

    private func orientation(_ bytes: [UInt8]) -> ImageOrientation? { ImageOrientation.inExif(bytes.span) }

    @Test(arguments: [true, false])
    func `an orientation of type short or long is read in both byte orders`(_ isLittleEndian: Bool) {
        for value in 1...8 {
            for type in [Self.short, Self.long] {
                let found = orientation(block(value, type: type, isLittleEndian: isLittleEndian))
                #expect(found?.rawValue == UInt8(value))
            }
        }
        #expect(orientation(block(6, type: Self.short, count: 2)) == .turnedRight)
    }

    @Test func `an EXIF block may begin with the prefix of JPEG`() {
        #expect(orientation(Array("Exif\0\0".utf8) + block(8, type: Self.short)) == .turnedLeft)
    }

    @Test func `an orientation of another type or value, or in a truncated block, is ignored`() {
        #expect(orientation(block(6, type: Self.byte)) == nil)
        for value in [0, 9, 0xFFFF] { #expect(orientation(block(value, type: Self.short)) == nil) }
        #expect(orientation(block(0x0001_0006, type: Self.long)) == nil)
        // The values would not fit into the entry, and their offset is outside of the block.
        #expect(orientation(block(6, type: Self.short, count: 3)) == nil)
        let whole = block(6, type: Self.long)
        for count in 0..<whole.count - 4 { #expect(orientation(Array(whole.prefix(count))) == nil) }
        #expect(orientation(Array("Exif\0\0".utf8)) == nil)
    }
}
