extension MediaSignature {
    /// Zero bytes at the beginning that are passed over: some recorders leave them before an MP3.
    package static let mostLeadingZeros = 65_536

    /// Why no rendition is made of a file: what its first bytes are, in a sentence.
    ///
    /// - Parameter declaredType: `Content-Type`, if there is one.
    package static func refusal(of head: Span<UInt8>, declaredType: String?) -> String {
        let declared = declaredType.map { ", declared as \($0.prefix(100))" } ?? ""
        guard let label = of(head)?.label ?? ForeignFormat.label(of: head) else {
            return "the bytes have no known media type\(declared)"
        }
        return "the bytes are \(label)\(declared)"
    }

    /// Whether the signature of a file can still come behind its first bytes: all of them are zeros.
    package static func mayBeginLater(_ head: Span<UInt8>) -> Bool {
        for offset in 0..<head.count where head[offset] != 0 { return false }
        return true
    }
}
