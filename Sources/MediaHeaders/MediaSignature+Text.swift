extension MediaSignature {
    /// Texts that come under a picture's name: error pages, drawings, and lists that tell a player what to open.
    static func ofText(_ head: Span<UInt8>) -> MediaSignature? {
        let start = startOfText(head)
        guard let first = head.byte(at: start), openingBytes.contains(first) else { return nil }
        for opening in playlistOpenings where head.spells(anyCase: opening, at: start) { return .playlist }
        if head.spells("v=0", at: start), let end = head.byte(at: start + 3), end == 0x0A || end == 0x0D {
            return .playlist
        }
        guard head.byte(at: start) == UInt8(ascii: "<") else { return nil }
        if head.spells(anyCase: "<svg", at: start) { return .svg }
        for opening in htmlOpenings where head.spells(anyCase: opening, at: start) { return .html }
        // What an XML declaration or a comment introduces comes a little later.
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

    /// What all texts that are known begin with: most that is asked about is none.
    private static let openingBytes: [UInt8] = Array("#<[fFv".utf8)

    /// HLS and extended M3U, ffconcat, PLS; then what is XML without a declaration.
    private static let playlistOpenings: [StaticString] =
        ["#extm3u", "ffconcat", "[playlist]", "<?wpl"] + playlistElements

    /// DASH, ASX, SMIL, XSPF.
    private static let playlistElements: [StaticString] = ["<mpd", "<asx", "<smil", "<playlist"]

    private static let htmlOpenings: [StaticString] = [
        "<!doctype html", "<html", "<head", "<body", "<title", "<script", "<h1", "<div",
    ]

    /// Behind a byte order mark and white space.
    private static func startOfText(_ head: Span<UInt8>) -> Int {
        var offset = head.littleEndian24(at: 0) == 0xBF_BBEF ? 3 : 0
        while let byte = head.byte(at: offset), byte == 0x20 || (0x09...0x0D).contains(byte) { offset += 1 }
        return offset
    }
}
