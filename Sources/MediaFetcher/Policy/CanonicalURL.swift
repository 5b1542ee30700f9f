import NotificationModel

/// A URL in the common canonical form, which is parsed in one pass and requested unchanged.
///
/// The scheme and the host are in lower case. The host is a name without the final dot, or IPv4 in four decimal parts.
/// A port is not the default port of the scheme. The path and the query are plain (`StrictURL.isPlain`). The
/// initializer returns `nil` for any other form, and `StrictURL` parses that.
struct CanonicalURL {
    let text: String
    let isSecure: Bool
    /// The range of the host in the bytes of the text.
    let hostBytes: Range<Int>
    let authorityEnd: Int
    /// The port; `nil` if the URL has none.
    let port: UInt16?
    let address: IPAddress?

    init?(_ text: String) {
        self.text = text
        let bytes = text.utf8.span
        guard bytes.count <= StrictURL.longest, Self.has("http", in: bytes, at: 0) else { return nil }
        isSecure = Self.has("s", in: bytes, at: 4)
        let schemeEnd = isSecure ? 5 : 4
        guard Self.has("://", in: bytes, at: schemeEnd), let host = Self.host(in: bytes, from: schemeEnd + 3) else {
            return nil
        }
        hostBytes = host.bytes
        address = host.address
        var end = host.bytes.upperBound
        if end < bytes.count, bytes[end] == UInt8(ascii: ":") {
            guard let port = Self.port(in: bytes, from: end + 1), port.number != (isSecure ? 443 : 80) else {
                return nil
            }
            self.port = port.number
            end = port.end
        } else {
            port = nil
        }
        authorityEnd = end
        guard end < bytes.count, bytes[end] == UInt8(ascii: "/"), Self.isPlain(bytes, from: end) else { return nil }
    }

    var scheme: String { isSecure ? "https" : "http" }

    var host: StrictHost { address.map { .address($0) } ?? .name(part(hostBytes)) }

    /// Returns a part of the text.
    ///
    /// - Parameter bytes: the range of the part. Any range is on character boundaries, because the text is ASCII.
    func part(_ bytes: Range<Int>) -> String {
        let start = text.utf8.index(text.startIndex, offsetBy: bytes.lowerBound)
        return String(Substring(text.utf8[start..<text.utf8.index(start, offsetBy: bytes.count)]))
    }

    private static func has(_ word: StaticString, in bytes: Span<UInt8>, at start: Int) -> Bool {
        guard start + word.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<word.utf8CodeUnitCount {
            guard unsafe bytes[start + index] == word.utf8Start[index] else { return false }
        }
        return true
    }

    private static func host(in bytes: Span<UInt8>, from start: Int) -> (bytes: Range<Int>, address: IPAddress?)? {
        var end = start
        var label = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: ":") {
            switch bytes[end] {
            case UInt8(ascii: "."):
                guard (1...63).contains(end - label) else { return nil }
                label = end + 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                break
            default: return nil
            }
            end += 1
        }
        guard (1...63).contains(end - label), end - start <= 253 else { return nil }
        guard bytes[label].isASCIIDigit else { return (start..<end, nil) }
        return address(in: bytes, from: start, to: end).map { (start..<end, $0) }
    }

    /// Parses four decimal numbers without leading zeros.
    private static func address(in bytes: Span<UInt8>, from start: Int, to end: Int) -> IPAddress? {
        var address: UInt32 = 0
        var part: UInt32 = 0
        var (digits, parts) = (0, 1)
        for index in start..<end {
            if bytes[index] == UInt8(ascii: ".") {
                (address, part, digits) = (address << 8 | part, 0, 0)
                parts += 1
                continue
            }
            guard bytes[index].isASCIIDigit, !(digits > 0 && part == 0) else { return nil }
            part = part * 10 + UInt32(bytes[index] - UInt8(ascii: "0"))
            digits += 1
            guard part <= 255 else { return nil }
        }
        return parts == 4 ? .v4(address << 8 | part) : nil
    }

    private static func port(in bytes: Span<UInt8>, from start: Int) -> (number: UInt16, end: Int)? {
        var number = 0
        var end = start
        while end < bytes.count, bytes[end].isASCIIDigit, end - start < 5 {
            number = number * 10 + Int(bytes[end] - UInt8(ascii: "0"))
            end += 1
        }
        guard end > start, bytes[start] != UInt8(ascii: "0"), let port = UInt16(exactly: number) else { return nil }
        return (port, end)
    }

    /// Returns whether the path and the query are plain, so that all parsers read them in the same way.
    ///
    /// A plain text has only letters, digits and separators. It has no segment that begins with a dot, and no empty
    /// query.
    static func isPlain(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var last: UInt8 = 0
        for index in start..<bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "/")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"):
                break
            case UInt8(ascii: "."): if last == UInt8(ascii: "/") { return false }
            default: return false
            }
            last = byte
        }
        return last != UInt8(ascii: "?")
    }
}
