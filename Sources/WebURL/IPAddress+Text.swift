extension IPAddress {
    /// The standard text form (RFC 5952) without brackets, as `inet_ntop` writes it.
    package var text: String {
        switch self {
        case .v4(let number): Self.dotted(number)
        case .v6(let number): Self.colons(number)
        }
    }

    /// The address as URLs have it: IPv6 is in brackets.
    package var textInURL: String {
        switch self {
        case .v4: text
        case .v6: "[\(text)]"
        }
    }

    private static func dotted(_ number: UInt32) -> String {
        var text = ""
        for shift in [24, 16, 8, 0] as [UInt32] {
            if shift < 24 { text += "." }
            text += String(UInt8(truncatingIfNeeded: number >> shift))
        }
        return text
    }

    private static func colons(_ number: UInt128) -> String {
        let words = (0..<8).map { UInt16(truncatingIfNeeded: number >> UInt128(112 - 16 * $0)) }
        let zeros = longestZeros(words)
        // An IPv4-compatible or IPv4-mapped address ends in dotted decimal form (RFC 5952 §5).
        let isEmbedded = zeros.lowerBound == 0 && (zeros.count == 6 || zeros.count == 5 && words[5] == 0xFFFF)
        var tail = words[zeros.upperBound...].map { String($0, radix: 16) }
        if isEmbedded { tail[(tail.count - 2)...] = [dotted(UInt32(truncatingIfNeeded: number))] }
        let head = words[..<zeros.lowerBound].map { String($0, radix: 16) }
        guard !zeros.isEmpty else { return tail.joined(separator: ":") }
        return "\(head.joined(separator: ":"))::\(tail.joined(separator: ":"))"
    }

    /// Returns the first of the longest runs of at least two zeros; an empty range at the start if the address has no
    /// such run.
    private static func longestZeros(_ words: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for (index, word) in words.enumerated() {
            if word != 0 {
                start = index + 1
            } else if index + 1 - start > max(1, longest.count) {
                longest = start..<(index + 1)
            }
        }
        return longest
    }
}
