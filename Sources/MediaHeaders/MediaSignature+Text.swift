import MediaTypes

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
