/// Percent-encoding of bytes in a URI (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Returns the text with all bytes encoded except the unreserved bytes (RFC 3986 §2.3) and the bytes of `also`.
    package static func text(of text: String, keeping also: String = "") -> String {
        text.utf8.map { byte in
            let isKept =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._~".utf8.contains(byte) || also.utf8.contains(byte)
            if isKept { return String(Unicode.Scalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }
}
