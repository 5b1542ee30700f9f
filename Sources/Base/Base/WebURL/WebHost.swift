/// The host of a URL: a DNS name, or an address in any notation. It is parsed once, so that no parser can differ.
///
/// Each text that libcurl, the C library and browsers accept as an IPv4 address is parsed as such, and converted to the
/// standard form. Such a text may have decimal, octal and hexadecimal numbers, and fewer than four parts. A host that
/// ends in a number and is not an address is refused (URL Standard, "ends in a number").
package enum WebHost: Sendable, Equatable {
    /// A name in lower case and ASCII, without the final dot.
    case name(String)
    case address(IPAddress)

    /// Parses a host as it occurs in a URL, with an IPv6 address in brackets.
    ///
    /// - Parameter toASCII: A function that converts a name to its ASCII form (IDNA). It returns `nil` if it cannot
    ///   convert the name. Without a function, names outside of ASCII are refused.
    package init(_ written: String, toASCII: (String) -> String? = { _ in nil }) throws(WebURLError) {
        guard !written.isEmpty else { throw .noHost }
        if written.utf8.first == UInt8(ascii: "[") {
            guard !written.utf8.contains(UInt8(ascii: "%")) else { throw .addressZone }
            guard let address = IPAddress(bracketed: written) else { throw .bracketedHost }
            self = .address(address)
            return
        }
        guard !written.utf8.contains(UInt8(ascii: "%")) else { throw .percentEncodedHost }
        // The check comes before the IDNA conversion, because a delimiter in its input would end the host.
        guard written.utf8.allSatisfy({ $0 >= 0x80 || Self.isInNames($0) }) else { throw .hostCharacters }
        var host = written.lowercased()
        if !written.utf8.allSatisfy({ $0 < 0x80 }) {
            // The result is checked like any other host.
            guard let ascii = toASCII(written), ascii.utf8.allSatisfy({ $0 < 0x80 }) else { throw .foreignHost }
            host = ascii.lowercased()
        }
        if host.utf8.last == UInt8(ascii: ".") { host.removeLast() }
        guard host.utf8.count <= 253, Self.hasValidLabels(host) else { throw .hostLabels }
        guard host.utf8.allSatisfy(Self.isInNames) else { throw .hostCharacters }
        guard Self.endsInNumber(host) else {
            self = .name(host)
            return
        }
        guard let number = Self.number(host.split(separator: ".")) else { throw .numericHost }
        self = .address(.v4(number))
    }

    package var address: IPAddress? {
        if case .address(let address) = self { address } else { nil }
    }

    /// The name, or the standard text of the address without brackets.
    package var text: String {
        switch self {
        case .name(let name): name
        case .address(let address): address.text
        }
    }

    /// The host as URLs have it, with an IPv6 address in brackets.
    package var textInURL: String { HostAndPort.bracketed(text) }

    /// Returns whether host names have the byte. Underscores are allowed, because names of storage buckets have them.
    private static func isInNames(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-_.".utf8.contains(byte) }

    /// Returns whether each label has 1 to 63 bytes.
    private static func hasValidLabels(_ host: String) -> Bool {
        var length = 0
        for byte in host.utf8 {
            let isDot = byte == UInt8(ascii: ".")
            guard isDot ? length > 0 : length < 63 else { return false }
            length = isDot ? 0 : length + 1
        }
        return length > 0
    }

    private static func endsInNumber(_ host: String) -> Bool {
        let start = host.utf8.lastIndex(of: UInt8(ascii: ".")).map { host.utf8.index(after: $0) } ?? host.startIndex
        return host.utf8[start].isASCIIDigit && isNumeric(host[start...])
    }

    private static func isNumeric(_ label: Substring) -> Bool {
        label.utf8.allSatisfy(\.isASCIIDigit)
            || label.hasPrefix("0x") && label.utf8.dropFirst(2).allSatisfy { $0.hexadecimalValue != nil }
    }

    /// Parses an IPv4 address in the form that `inet_aton` accepts: one to four parts, of which the last fills the
    /// remaining bytes.
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
