import NotificationModel

/// The host of a URL: a DNS name, or an address in any notation. It is parsed only once, so that no other parser can
/// interpret it differently.
///
/// Each text that libcurl, the C library and browsers accept as an IPv4 address is parsed as such, and converted to the
/// standard form. These are decimal, octal and hexadecimal numbers, and fewer than four parts. A host that ends in a
/// number and is no address is refused (URL Standard, "ends in a number").
enum StrictHost: Sendable, Equatable {
    /// A name in lower case and ASCII, without the final dot.
    case name(String)
    case address(IPAddress)

    init(_ written: String) throws(MediaFailure) {
        guard !written.isEmpty else { throw MediaFailure(.invalidURL, "the URL has no host") }
        if written.utf8.first == UInt8(ascii: "[") {
            self = .address(try Self.bracketed(written))
            return
        }
        guard !written.utf8.contains(UInt8(ascii: "%")) else {
            throw MediaFailure(.invalidURL, "the host is percent-encoded: write it without encoding")
        }
        // The check comes before the IDNA conversion, in whose input a delimiter would end the host.
        guard written.utf8.allSatisfy({ $0 >= 0x80 || Self.isInNames($0) }) else { throw Self.noName }
        var host = written.utf8.allSatisfy { $0 < 0x80 } ? written.lowercased() : try Self.asDNSKnows(written)
        if host.hasSuffix(".") { host.removeLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        try Self.check(labels, of: host)
        guard let last = labels.last, Self.isNumeric(last) else {
            self = .name(host)
            return
        }
        guard let number = Self.number(labels) else {
            throw MediaFailure(.invalidURL, "the host ends in a number, but is not an address: write it as a.b.c.d")
        }
        self = .address(.v4(number))
    }

    var address: IPAddress? {
        if case .address(let address) = self { address } else { nil }
    }

    /// The name, or the standard text of the address without brackets.
    var text: String {
        switch self {
        case .name(let name): name
        case .address(let address): address.text
        }
    }

    private static func bracketed(_ written: String) throws(MediaFailure) -> IPAddress {
        let inner = String(decoding: written.utf8.dropFirst().dropLast(), as: UTF8.self)
        guard !inner.utf8.contains(UInt8(ascii: "%")) else {
            throw MediaFailure(
                .invalidURL, "the address has a zone, which has a meaning only on one machine: remove it")
        }
        guard written.utf8.last == UInt8(ascii: "]"), let address = IPAddress(inner), case .v6 = address else {
            throw MediaFailure(.invalidURL, "the text in brackets is not an IPv6 address")
        }
        return address
    }

    /// Converts a name with IDNA, as libcurl does. The result is then parsed like any other host.
    private static func asDNSKnows(_ written: String) throws(MediaFailure) -> String {
        let unknown = MediaFailure(.invalidURL, "the host cannot be converted to a name for DNS")
        do throws(MediaFailure) {
            guard let host = try CurlURL.parse("http://\(written)/").host, host.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw unknown
            }
            return host.lowercased()
        } catch { throw unknown }
    }

    /// Checks the lengths of RFC 1035 §2.3.4 and the characters. Underscores are allowed, because names of storage
    /// buckets have them.
    private static func check(_ labels: [Substring], of host: String) throws(MediaFailure) {
        guard host.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
            throw MediaFailure(.invalidURL, "the host is not a name: a part of it is empty or too long")
        }
        guard host.utf8.allSatisfy(isInNames) else { throw noName }
    }

    private static let noName = MediaFailure(.invalidURL, "the host has characters that no host name has")

    private static func isInNames(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: byte.isASCIILetter || byte.isASCIIDigit
        }
    }

    private static func isNumeric(_ label: Substring) -> Bool {
        label.utf8.allSatisfy(\.isASCIIDigit)
            || label.hasPrefix("0x") && label.dropFirst(2).utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    /// Parses an IPv4 address as `inet_aton` does: one to four parts, of which the last fills the remaining bytes.
    private static func number(_ labels: [Substring]) -> UInt32? {
        guard labels.count <= 4 else { return nil }
        var address: UInt64 = 0
        for (index, label) in labels.enumerated() {
            guard let part = part(label) else { return nil }
            let width = index == labels.count - 1 ? 8 * (5 - labels.count) : 8
            guard part < 1 << UInt64(width) else { return nil }
            address = address << UInt64(width) | part
        }
        return UInt32(exactly: address)
    }

    /// Parses a part, which is hexadecimal after `0x`, octal after `0` and otherwise decimal.
    private static func part(_ label: Substring) -> UInt64? {
        guard isNumeric(label) else { return nil }
        if label.hasPrefix("0x") { return UInt64(label.dropFirst(2), radix: 16) }
        return label.hasPrefix("0") ? UInt64(label, radix: 8) : UInt64(label)
    }
}
