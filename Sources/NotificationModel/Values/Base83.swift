/// Whole numbers as a BlurHash writes them, the highest digit first (wolt/blurhash, "Algorithm.md": "Base 83").
package enum Base83 {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// - Parameters:
    ///   - value: from 0; what does not fit the digits loses its highest ones.
    ///   - count: how many digits.
    package static func text(_ value: Int, digits count: Int) -> String {
        var rest = max(0, value)
        var text: [UInt8] = []
        for _ in 0..<count {
            text.append(digits[rest % digits.count])
            rest /= digits.count
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    /// - Parameter text: at most nine digits, which fit.
    /// - Returns: `nil` where one is no digit.
    package static func value(_ text: some Sequence<UInt8>) -> Int? {
        var value = 0
        for (index, byte) in text.enumerated() {
            guard index < 9, let digit = digits.firstIndex(of: byte) else { return nil }
            value = value * digits.count + digit
        }
        return value
    }
}
