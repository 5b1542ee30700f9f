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
