/// What is shown in a picture's place until it is there.
package struct ImagePreview: Sendable, Equatable {
    /// A blurred picture as text (blurha.sh).
    package let blurhash: String
    /// The colour that most of the picture has, as `#rrggbb`; `nil` where nothing of it is opaque.
    package let dominantColor: String?

    /// - Returns: `nil` where one of them is not what it should be.
    package init?(blurhash: String, dominantColor: String?) {
        guard Self.isBlurhash(blurhash), dominantColor.map(Self.isColor) ?? true else { return nil }
        self.blurhash = blurhash
        self.dominantColor = dominantColor
    }

    /// A digit for the number of components, one for the largest of them, four for the mean colour, two for each other
    /// component (wolt/blurhash, "Algorithm.md": "Structure").
    private static func isBlurhash(_ text: String) -> Bool {
        let digits = Array(text.utf8)
        guard digits.count >= 6, let components = Base83.value(digits[..<1]), components < 81 else { return false }
        guard digits.count == 4 + 2 * (components % 9 + 1) * (components / 9 + 1) else { return false }
        guard Base83.value(digits[1..<2]) != nil, let mean = Base83.value(digits[2..<6]), mean < 1 << 24 else {
            return false
        }
        return stride(from: 6, to: digits.count, by: 2).allSatisfy { start in
            Base83.value(digits[start..<start + 2]).map { $0 < 19 * 19 * 19 } ?? false
        }
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
            && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
