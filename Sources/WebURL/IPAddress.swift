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
        let bytes = Substring(text).utf8
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"),
            case .v6(let number) = IPAddress(String(Substring(bytes.dropFirst().dropLast())))
        else { return nil }
        self = .v6(number)
    }
}
