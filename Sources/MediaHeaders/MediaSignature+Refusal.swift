extension MediaSignature {
    /// The maximum number of leading zero bytes that are skipped. Some recorders write them before an MP3.
    package static let mostLeadingZeros = 65_536

    /// Returns the reason why a file has no rendition: a sentence that names the format of its first bytes.
    ///
    /// - Parameter declaredType: The value of `Content-Type`; `nil` if the response has none.
    package static func refusal(of head: Span<UInt8>, declaredType: String?) -> String {
        let declared = declaredType.map { ", declared as \($0.prefix(100))" } ?? ""
        guard let label = of(head)?.label ?? ForeignFormat.label(of: head) else {
            return "the bytes have no known media type\(declared)"
        }
        return "the bytes are \(label)\(declared)"
    }

    /// Returns whether the signature of a file can follow after its first bytes, because all of them are zero.
    package static func mayBeginLater(_ head: Span<UInt8>) -> Bool {
        for offset in 0..<head.count where head[offset] != 0 { return false }
        return true
    }
}
