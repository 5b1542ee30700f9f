import Glibc

/// An IPv4 or IPv6 address, as a number.
package enum IPAddress: Sendable, Hashable {
    case v4(UInt32)
    case v6(UInt128)

    /// Creates an address from 4 or 16 bytes in network order; `nil` if the number of bytes is another.
    package init?(bytes: Span<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var number: UInt128 = 0
        for index in bytes.indices { number = number << 8 | UInt128(bytes[index]) }
        self = bytes.count == 4 ? .v4(UInt32(number)) : .v6(number)
    }

    /// Parses the standard text forms only: dotted decimal with four parts, or RFC 4291 §2.2 (`inet_pton`).
    package init?(_ text: String) {
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
}

/// A range of addresses: `127.0.0.0/8`, `::1/128`, or one address.
package struct AddressRange: Sendable, Hashable {
    package let base: IPAddress
    package let prefixLength: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = IPAddress(String(parts[0])) else { return nil }
        let width =
            switch base {
            case .v4: 32
            case .v6: 128
            }
        if parts.count == 2 {
            // Only digits are allowed: `Int` accepts signs, and "-0" would match all addresses.
            guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
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
