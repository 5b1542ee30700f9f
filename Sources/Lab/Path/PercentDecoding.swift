import NotificationModel

extension PercentEncoding {
    /// Returns the decoded text. Each `%XX` is decoded once, so `%252e` becomes `%2e` and not a dot.
    static func decode(_ segment: some StringProtocol) throws(OriginPathError) -> String {
        var bytes: [UInt8] = []
        var rest = Array(segment.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(value(ofHexDigit:)),
                let low = rest.popFirst().flatMap(value(ofHexDigit:))
            else { throw .badPercentEncoding(String(segment)) }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badPercentEncoding(String(segment)) }
        return text
    }

    private static func value(ofHexDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
