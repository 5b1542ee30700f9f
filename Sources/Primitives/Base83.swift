/// The base 83 of a BlurHash: whole numbers with the highest digit first (wolt/blurhash, "Algorithm.md": "Base 83").
package enum Base83 {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// Returns the digits of a number.
    ///
    /// - Parameter value: The number, from 0. If it needs more digits, the highest ones are dropped.
    /// - Parameter count: The number of digits.
    package static func text(_ value: Int, digits count: Int) -> String {
        var rest = max(0, value)
        var text: [UInt8] = []
        for _ in 0..<count {
            text.append(digits[rest % digits.count])
            rest /= digits.count
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    /// Returns the value of digits.
    ///
    /// - Parameter text: At most nine digits, whose value fits an `Int`.
    /// - Returns: The value; `nil` if a character is not a digit.
    package static func value(_ text: some Sequence<UInt8>) -> Int? {
        var value = 0
        for (index, byte) in text.enumerated() {
            guard index < 9, let digit = digits.firstIndex(of: byte) else { return nil }
            value = value * digits.count + digit
        }
        return value
    }
}
