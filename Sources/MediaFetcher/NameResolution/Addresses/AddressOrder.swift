import Base

/// The order in which the addresses of a host are tried (RFC 6724 §6). The order depends on the source address that the
/// machine would use for each address.
///
/// Rules 3, 4 and 7 are left out. These rules concern deprecated, mobile and tunnelled source addresses, which the
/// daemon does not look up.
enum AddressOrder {
    /// Returns the addresses, the preferred one first. `source` returns the source address for a destination; `nil` if
    /// the machine has no route to it.
    static func sorted(_ addresses: [IPAddress], source: (IPAddress) -> IPAddress?) -> [IPAddress] {
        guard addresses.count > 1 else { return addresses }
        let keyed = addresses.enumerated().map { (key: key(of: $1, from: source($1), place: $0), address: $1) }
        return keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.address)
    }

    /// Returns the sort key of an address. Keys are compared number by number, and smaller numbers come first.
    private static func key(of address: IPAddress, from source: IPAddress?, place: Int) -> [Int] {
        let number = address.mapped
        let scope = scope(of: number)
        let (precedence, label) = policy(of: number)
        let sourceNumber = source?.mapped
        // Rule 9 is for IPv6 only: common leading bits of IPv4 addresses do not show how near the addresses are.
        var commonBits = 0
        if case .v6 = address, let sourceNumber {
            commonBits = min((number ^ sourceNumber).leadingZeroBitCount, 64)
        }
        return [
            source == nil ? 1 : 0,  // Rule 1: reachable addresses come first.
            sourceNumber.map { Self.scope(of: $0) } == scope ? 0 : 1,  // Rule 2: same scope first.
            sourceNumber.map { policy(of: $0).label } == label ? 0 : 1,  // Rule 5: same label first.
            -precedence,  // Rule 6: the higher precedence comes first.
            scope,  // Rule 8: the smaller scope comes first.
            -commonBits,  // Rule 9: the longer common prefix comes first.
            place,  // Rule 10: otherwise the order of the server remains.
        ]
    }

    /// The policy table of RFC 6724 §2.1, with the longest prefixes first.
    private static let policies: [(prefix: UInt128, length: Int, precedence: Int, label: Int)] = [
        (1, 128, 50, 0),
        (0xffff << 32, 96, 35, 4),
        (0, 96, 1, 3),
        (0x2001_0000 << 96, 32, 5, 5),
        (0x2002 << 112, 16, 30, 2),
        (0x3ffe << 112, 16, 1, 12),
        (0xfec0 << 112, 10, 1, 11),
        (0xfc00 << 112, 7, 3, 13),
    ]

    private static func policy(of number: UInt128) -> (precedence: Int, label: Int) {
        let found = policies.first { (number ^ $0.prefix) >> UInt128(128 - $0.length) == 0 }
        return found.map { ($0.precedence, $0.label) } ?? (40, 1)
    }

    /// Returns the scope of an address (RFC 6724 §3.1 and §3.2): 2 is link-local, 5 is site-local, 14 is global.
    private static func scope(of number: UInt128) -> Int {
        if number >> 32 == 0xffff {
            let v4 = UInt32(truncatingIfNeeded: number)
            return v4 >> 24 == 127 || v4 >> 16 == 0xa9fe ? 2 : 14
        }
        if number >> 120 == 0xff { return Int(number >> 112 & 0xf) }
        if number == 1 || number >> 118 == 0xfe80 >> 6 { return 2 }
        return number >> 118 == 0xfec0 >> 6 ? 5 : 14
    }
}

extension IPAddress {
    /// The address as a 128-bit IPv6 address. An IPv4 address becomes `::ffff:a.b.c.d`.
    fileprivate var mapped: UInt128 {
        switch self {
        case .v4(let number): 0xffff << 32 | UInt128(number)
        case .v6(let number): number
        }
    }
}
