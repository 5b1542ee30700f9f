import MediaTypes

extension MediaSignature {
    /// Returns whether an Ogg file that begins with these bytes has a video stream.
    ///
    /// The first page of each stream comes before all others (RFC 3533, 4), and begins with the codec's name.
    package static func hasOggVideo(_ head: Span<UInt8>) -> Bool {
        var page = 0
        while head.code(at: page) == "OggS", let flags = head.byte(at: page + 5), flags & 2 != 0,
            let segments = head.byte(at: page + 26)
        {
            let packet = page + 27 + Int(segments)
            if isVideoPacket(head, at: packet) { return true }
            page = packet
            for index in 0..<Int(segments) { page += Int(head.byte(at: packet - Int(segments) + index) ?? 0) }
        }
        return false
    }

    /// Returns whether the packet at the offset begins a stream of Theora, Dirac, VP8 or an OGM video.
    private static func isVideoPacket(_ head: Span<UInt8>, at packet: Int) -> Bool {
        head.byte(at: packet) == 0x80 && head.spells("theora", at: packet + 1) || head.spells("BBCD", at: packet)
            || head.spells("OVP80", at: packet) || head.spells("\u{1}video", at: packet)
    }
}

extension MediaSignature {
    /// The maximum number of leading zero bytes that are skipped. Some recorders write such bytes before an MP3.
    package static let mostLeadingZeros = 65_536

    /// Returns the reason why a file has no rendition: a sentence that names the format of its first bytes.
    ///
    /// - Parameter declaredType: The value of `Content-Type`; `nil` if the response has none.
    package static func refusal(of head: Span<UInt8>, declaredType: String?) -> String {
        let declared = declaredType.map { ", declared as \($0.prefix(100))" } ?? ""
        guard let label = of(head)?.phrase ?? ForeignFormat.label(of: head) else {
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
