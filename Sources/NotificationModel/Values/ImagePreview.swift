import Primitives

/// A placeholder that is shown until an image is loaded.
package struct ImagePreview: Sendable, Equatable {
    /// A blurred image as text (blurha.sh).
    package let blurhash: String
    /// The most frequent color of the image, as `#rrggbb`; `nil` if no pixel is opaque.
    package let dominantColor: String?

    /// Creates a preview; `nil` if the BlurHash or the color is malformed.
    package init?(blurhash: String, dominantColor: String?) {
        guard Self.isBlurhash(blurhash), dominantColor.map(Self.isColor) ?? true else { return nil }
        self.blurhash = blurhash
        self.dominantColor = dominantColor
    }

    /// Checks the digits of a BlurHash (wolt/blurhash, "Algorithm.md": "Structure"). The text has one digit for the
    /// number of components, and one for the largest component. The mean color has four digits, and each other
    /// component has two.
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
            && Hexadecimal.isLowercase(text.dropFirst())
    }
}
