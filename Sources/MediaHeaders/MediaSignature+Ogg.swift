extension MediaSignature {
    /// Returns whether an Ogg file that begins with these bytes has a video stream.
    ///
    /// The first page of each stream comes before all other pages (RFC 3533, section 4). Its packet begins with the
    /// name of the codec.
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
