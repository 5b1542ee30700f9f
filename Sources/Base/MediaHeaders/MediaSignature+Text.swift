import Base

extension MediaSignature {
    /// Returns the format of a text that a server delivers instead of an image; `nil` for other bytes.
    ///
    /// Such a text is an error page, a drawing, or a playlist, which names other files for a player to open.
    static func ofText(_ head: Span<UInt8>) -> MediaFormat? {
        let start = startOfText(head)
        guard let first = head.byte(at: start), openingBytes.contains(first) else { return nil }
        for opening in playlistOpenings where head.spells(anyCase: opening, at: start) { return .playlist }
        if head.spells("v=0", at: start), let end = head.byte(at: start + 3), end == 0x0A || end == 0x0D {
            return .playlist
        }
        guard head.byte(at: start) == UInt8(ascii: "<") else { return nil }
        if head.spells(anyCase: "<svg", at: start) { return .svg }
        for opening in htmlOpenings where head.spells(anyCase: opening, at: start) { return .html }
        // After an XML declaration or a comment, the root element follows a few bytes later.
        guard
            head.spells(anyCase: "<?xml", at: start) || head.spells("<!--", at: start)
                || head.spells(anyCase: "<!doctype svg", at: start)
        else { return nil }
        if head.firstOffset(ofAnyCase: "<svg", from: start) != nil { return .svg }
        for opening in playlistElements where head.firstOffset(ofAnyCase: opening, from: start) != nil {
            return .playlist
        }
        if head.firstOffset(ofAnyCase: "<html", from: start) != nil { return .html }
        return head.spells(anyCase: "<?xml", at: start) ? .xml : nil
    }

    /// The first bytes of all known texts. Most files begin with another byte and need no further comparison.
    private static let openingBytes: [UInt8] = Array("#<[fFv".utf8)

    /// The beginnings of extended M3U (HLS), ffconcat and PLS, and of XML playlists that have no XML declaration.
    private static let playlistOpenings: [StaticString] =
        ["#extm3u", "ffconcat", "[playlist]", "<?wpl"] + playlistElements

    /// The root elements of DASH, ASX, SMIL and XSPF.
    private static let playlistElements: [StaticString] = ["<mpd", "<asx", "<smil", "<playlist"]

    private static let htmlOpenings: [StaticString] = [
        "<!doctype html", "<html", "<head", "<body", "<title", "<script", "<h1", "<div",
    ]

    /// Returns the offset of the first character after a byte order mark and white space.
    private static func startOfText(_ head: Span<UInt8>) -> Int {
        var offset = head.littleEndian24(at: 0) == 0xBF_BBEF ? 3 : 0
        while let byte = head.byte(at: offset), byte == 0x20 || (0x09...0x0D).contains(byte) { offset += 1 }
        return offset
    }
}

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
    package static let maxLeadingZeros = 65_536

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
