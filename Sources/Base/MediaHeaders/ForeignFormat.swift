import Base

/// The formats that are recognized only to name them in the error for an unsupported file.
///
/// Debian's FFmpeg decodes some of them. Their decoders are left out: a push seldom has such a file, and each decoder
/// is more code that hostile bytes can reach.
enum ForeignFormat {
    /// The first bytes of each format (magic/Magdir in the sources of file(1)).
    private static let openings: [(bytes: StaticString, label: String)] = [
        ("icns", "an Apple icon file (ICNS)"), ("%!PS", "a PostScript document"), ("qoif", "QOI"),
        ("#!AMR_MC", "AMR with several channels"), (".RMF", "RealMedia"), (".ra", "RealAudio"), ("MThd", "MIDI"),
        ("DDS ", "a DirectDraw surface"), ("wOF", "a font"), ("OTTO", "a font"),
        ("#!SILK", "SILK"), ("\u{2}#!SILK", "SILK"), ("MAC ", "Monkey's Audio"), ("wvpk", "WavPack"),
        ("TTA1", "True Audio"), ("MPCK", "Musepack"), ("MP+", "Musepack"), ("DSD ", "DSD"), ("FRM8", "DSD"),
        ("ADIF", "AAC in ADIF"),
        ("Creative Voice File", "a sound in Creative's format (VOC)"), ("DKIF", "IVF"), ("YUV4MPEG2", "YUV4MPEG2"),
        ("BIKi", "Bink"), ("KB2", "Bink"), ("SMK2", "Smacker"),
        ("Rar!", "a RAR archive"), ("7z", "a 7z archive"), ("data:", "the text of a data URL"),
    ]
    /// The bytes that may precede a signature by mistake: line ends, spaces and byte order marks.
    private static let strayBytes: [UInt8] = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    private static let maxStrayBytes = 64

    static func label(of head: Span<UInt8>) -> String? {
        for opening in openings where head.spells(opening.bytes, at: 0) { return opening.label }
        switch head.bigEndian32(at: 0) {
        case 0xC5D0_D3C6: return "an Encapsulated PostScript file"
        case 0x762F_3101: return "OpenEXR"
        case 0x0000_01B3: return "an MPEG video stream without a container"
        case 0x0000_0001 where isH264OrHEVC(head): return "an H.264 or HEVC stream without a container"
        case 0x060E_2B34: return "MXF"
        case 0x7FFE_8001: return "DTS"
        default: break
        }
        if head.bigEndian16(at: 0) == 0x0B77 { return "AC-3" }
        if head.code(at: 0) == "RIFF", head.code(at: 8) == "QLCM" { return "QCELP" }
        if head.spells("WS", at: 1), let first = head.byte(at: 0), [0x43, 0x46, 0x5A].contains(first),
            let version = head.byte(at: 3), version < 0x40, version != 0x20
        {
            return "a Flash program (SWF)"
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

    /// Returns whether the first NAL unit has parameters of a stream (ISO 14496-10, 7.3.1; ISO 23008-2, 7.3.1).
    private static func isH264OrHEVC(_ head: Span<UInt8>) -> Bool {
        head.byte(at: 4).map { [0x09, 0x27, 0x47, 0x67, 0x40, 0x42, 0x46].contains($0) } ?? false
    }

    /// Returns the label of a known signature that follows after stray bytes; `nil` if none exists.
    private static func late(_ head: Span<UInt8>) -> String? {
        var start = 0
        while start < maxStrayBytes, let byte = head.byte(at: start), strayBytes.contains(byte) {
            start += 1
            if let signature = MediaSignature.of(head.extracting(start..<head.count)), signature.sampledKind != nil {
                return "\(signature.phrase) after \(start) other \(start == 1 ? "byte" : "bytes")"
            }
        }
        return nil
    }

    private static func text(_ head: Span<UInt8>) -> String? {
        var start = 0
        while let byte = head.byte(at: start), strayBytes.contains(byte) { start += 1 }
        if [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(head.byte(at: start)) { return "JSON" }
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
