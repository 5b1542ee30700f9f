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

/// Formats that are named in refusals and nowhere else.
private enum ForeignFormat {
    /// By their first bytes (the sources of file(1), magic/Magdir).
    private static let openings: [(bytes: StaticString, label: String)] = [
        ("icns", "an Apple icon file (ICNS)"), ("%!PS", "a PostScript document"), ("qoif", "QOI"),
        ("#!AMR_MC", "AMR with several channels"), (".RMF", "RealMedia"), (".ra", "RealAudio"), ("MThd", "MIDI"),
        ("DDS ", "a DirectDraw surface"), ("wOF", "a font"), ("OTTO", "a font"),
        ("Rar!", "a RAR archive"), ("7z", "a 7z archive"), ("data:", "the text of a data URL"),
    ]
    /// Behind these begins what is meant: line ends, spaces and byte order marks.
    private static let strayBytes: [UInt8] = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    private static let mostStrayBytes = 64

    static func label(of head: Span<UInt8>) -> String? {
        for opening in openings where head.spells(opening.bytes, at: 0) { return opening.label }
        switch head.bigEndian32(at: 0) {
        case 0xC5D0_D3C6: return "an Encapsulated PostScript file"
        case 0x762F_3101: return "OpenEXR"
        case 0x0000_01B3: return "an MPEG video stream without a container"
        default: break
        }
        if let kind = head.byte(at: 1), head.byte(at: 0) == UInt8(ascii: "P"), (0x31...0x36).contains(kind),
            [0x0A, 0x0D, 0x20].contains(head.byte(at: 2))
        {
            return "a Netpbm image"
        }
        if head.byte(at: 0) == 0x0A, let version = head.byte(at: 1), version <= 5, head.byte(at: 2) == 1 {
            return "PCX"
        }
        return late(head) ?? text(head)
    }

    /// A known signature behind bytes that do not belong there.
    private static func late(_ head: Span<UInt8>) -> String? {
        var start = 0
        while start < mostStrayBytes, let byte = head.byte(at: start), strayBytes.contains(byte) {
            start += 1
            if let signature = MediaSignature.of(head.extracting(start..<head.count)), signature.mediaClass != nil {
                return "\(signature.label) behind \(start) other \(start == 1 ? "byte" : "bytes")"
            }
        }
        return nil
    }

    private static func text(_ head: Span<UInt8>) -> String? {
        var start = 0
        while let byte = head.byte(at: start), strayBytes.contains(byte) { start += 1 }
        switch head.byte(at: start) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return "JSON"
        default: break
        }
        guard head.count - start >= 64 else { return nil }
        for offset in start..<head.count where !isOfBase64(head[offset]) { return nil }
        return "text in Base64"
    }

    private static func isOfBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), 0x0A, 0x0D:
            true
        default: false
        }
    }
}
