import Glibc

/// An IPv4 or IPv6 address, as a number.
package enum IPAddress: Sendable, Hashable {
    case v4(UInt32)
    case v6(UInt128)

    /// Creates an address from 4 or 16 bytes in network order; `nil` for any other number of bytes.
    package init?(bytes: Span<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var number: UInt128 = 0
        for index in bytes.indices { number = number << 8 | UInt128(bytes[index]) }
        self = bytes.count == 4 ? .v4(UInt32(number)) : .v6(number)
    }

    /// Parses the standard text forms only: dotted decimal with four parts, or RFC 4291 §2.2 (`inet_pton`).
    package init?(_ text: String) {
        // The C functions would read the text only up to a NUL.
        guard !text.utf8.contains(0) else { return nil }
        var v4: UInt32 = 0
        var v6: UInt128 = 0
        // Both functions write in network order. `withCString` is necessary: a string that is passed as an argument is
        // first copied into an array.
        if text.withCString({ inet_pton(AF_INET, $0, &v4) }) == 1 {
            self = .v4(UInt32(bigEndian: v4))
        } else if text.withCString({ inet_pton(AF_INET6, $0, &v6) }) == 1 {
            self = .v6(UInt128(bigEndian: v6))
        } else {
            return nil
        }
    }

    /// Whether the address is in 127.0.0.0/8, or is `::1`.
    package var isLoopback: Bool {
        switch self {
        case .v4(let number): number >> 24 == 127
        case .v6(let number): number == 1
        }
    }

    /// Parses an IPv6 address in brackets, as in a URL, for example `[::1]`.
    package init?(bracketed text: some StringProtocol) {
        guard text.utf8.first == UInt8(ascii: "["), case .v6(let number) = IPAddress(HostAndPort.unbracketed(text))
        else { return nil }
        self = .v6(number)
    }
}

extension IPAddress {
    /// The standard text form (RFC 5952) without brackets, as `inet_ntop` writes it.
    package var text: String {
        switch self {
        case .v4(let number): Self.dotted(number)
        case .v6(let number): Self.colons(number)
        }
    }

    /// The address as URLs have it: IPv6 is in brackets.
    package var textInURL: String { HostAndPort.bracketed(text) }

    private static func dotted(_ number: UInt32) -> String {
        "\(number >> 24).\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)"
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

    /// Returns the first of the longest runs of at least two zeros; an empty range at the start without such a run.
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

/// A range of addresses, such as `127.0.0.0/8` or `::1/128`, or one address.
package struct AddressRange: Sendable, Hashable {
    package let base: IPAddress
    package let prefixLength: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = IPAddress(String(parts[0])) else { return nil }
        let width = if case .v4 = base { 32 } else { 128 }
        if parts.count == 2 {
            // Only digits are allowed: `Int` accepts signs, and "-0" would match all addresses.
            guard parts[1].utf8.allSatisfy(\.isASCIIDigit),
                let length = Int(parts[1]), (0...width).contains(length)
            else { return nil }
            prefixLength = length
        } else {
            prefixLength = width
        }
        self.base = base
    }

    package func contains(_ address: IPAddress) -> Bool {
        switch (base, address) {
        case (.v4(let base), .v4(let address)): (base ^ address) >> UInt32(32 - prefixLength) == 0
        case (.v6(let base), .v6(let address)): (base ^ address) >> UInt128(128 - prefixLength) == 0
        default: false
        }
    }
}
