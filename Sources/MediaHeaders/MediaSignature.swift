/// What a file is by its first bytes, whatever its name or its server says.
///
/// This target is the project's own reading of media headers: signatures of everything that may arrive, whole walks of
/// JPEG, PNG, GIF and WebP that say size, orientation, frames and completeness and list what stays when the metadata
/// goes, of HEIC and AVIF that say which bytes a decoder is given and how its pictures are joined, and of BMP, TIFF and
/// icons that refuse what the decoder does not show rightly, and of MP4 that bound what a demuxer holds. Bytes come in as a
/// `Span`; values or a `MediaHeaderError` go out. No I/O, no pointers, no recursion; each loop is bounded by the bytes
/// given. It runs on the caller's thread, in the daemon as well as in the worker.
package enum MediaSignature: String, Sendable, Equatable, CaseIterable {
    case jpeg, png, gif, webp, heic, avif, bmp, tiff, ico, svg
    case jpeg2000, jpegXL, psd
    /// What a camera's sensor has seen, in its maker's format: DNG, CR2, NEF and their kind.
    case cameraRaw
    case mp4, quickTime, webm, matroska, avi, mpegPS, mpegTS
    /// Windows Media: a video, or a sound alone.
    case asf
    case flv
    case m4a, mp3, aac
    /// Also with lengths of 64 bits: RF64 and BW64.
    case wav
    case aiff, ogg, flac
    /// The sound of telephones, of 8,000 or 16,000 samples a second.
    case amr
    case caf, au, w64
    case pdf, html, xml, zip, gzip
    /// A text that tells a player to open other files: HLS, M3U, PLS, ASX, SMIL, XSPF, ffconcat, DASH, SDP.
    case playlist

    /// Bytes from the file's start that suffice to decide.
    package static let wantedBytes = 512

    /// The format of a file that starts with these bytes, or `nil` when it is none of the known ones.
    ///
    /// Reads at most `wantedBytes`; fewer are enough for most formats.
    package static func of(_ bytes: Span<UInt8>) -> MediaSignature? {
        let head = bytes.extracting(first: min(bytes.count, wantedBytes))
        return ofBinary(head) ?? ofISOBaseMedia(head) ?? ofText(head) ?? ofFrameSync(head)
    }

    private static func ofBinary(_ head: Span<UInt8>) -> MediaSignature? {
        switch head.code(at: 0) {
        case "RIFF":
            switch head.code(at: 8) {
            case "WEBP": return .webp
            case "WAVE": return .wav
            case "AVI ": return .avi
            default: return nil
            }
        case "RF64", "BW64": return head.code(at: 8) == "WAVE" ? .wav : nil
        case "FORM":
            return head.code(at: 8) == "AIFF" || head.code(at: 8) == "AIFC" ? .aiff : nil
        case "GIF8" where head.spells("7a", at: 4) || head.spells("9a", at: 4): return .gif
        case "OggS": return .ogg
        case "fLaC": return .flac
        case "caff" where head.bigEndian16(at: 4) == 1: return .caf
        case ".snd": return .au
        case "#!AM" where head.spells("R\n", at: 4) || head.spells("R-WB\n", at: 4): return .amr
        case "FLV\u{1}": return .flv
        case "%PDF": return .pdf
        case "8BPS" where head.bigEndian16(at: 4) == 1 || head.bigEndian16(at: 4) == 2: return .psd
        default: break
        }
        if let known = ofIdentifier(head) { return known }
        if isCameraRaw(head) { return .cameraRaw }
        switch head.bigEndian32(at: 0) {
        case 0x8950_4E47 where head.bigEndian32(at: 4) == 0x0D0A_1A0A: return .png
        case 0x1A45_DFA3: return head.firstOffset(ofAnyCase: "webm") == nil ? .matroska : .webm
        case 0x4949_2A00, 0x4D4D_002A: return .tiff
        // BigTIFF, whose offsets have eight bytes.
        case 0x4949_2B00 where head.littleEndian16(at: 4) == 8: return .tiff
        case 0x4D4D_002B where head.bigEndian16(at: 4) == 8: return .tiff
        case 0x0000_000C where head.bigEndian32(at: 8) == 0x0D0A_870A:
            return head.code(at: 4) == "jP  " ? .jpeg2000 : head.code(at: 4) == "JXL " ? .jpegXL : nil
        case 0xFF4F_FF51: return .jpeg2000
        case 0x0000_01BA: return .mpegPS
        case 0x504B_0304, 0x504B_0506: return .zip
        // Icons and cursors; a TGA that begins alike has no number of pictures at this place.
        case 0x0000_0100 where hasIconEntries(head), 0x0000_0200 where hasIconEntries(head): return .ico
        default: break
        }
        if head.bigEndian16(at: 0) == 0xFFD8, head.byte(at: 2) == 0xFF { return .jpeg }
        if head.bigEndian16(at: 0) == 0xFF0A { return .jpegXL }
        if head.bigEndian16(at: 0) == 0x1F8B { return .gzip }
        if head.spells("BM", at: 0), head.littleEndian32(at: 6) == 0 || hasBitmapHeader(head) { return .bmp }
        if head.spells("ID3", at: 0) { return .mp3 }
        return nil
    }

    /// Formats that begin with an identifier of 16 bytes: Windows Media, and Sony's form of WAV, whose kind comes later.
    private static func ofIdentifier(_ head: Span<UInt8>) -> MediaSignature? {
        if ASFHeader.begins(head) { return .asf }
        let isWave64 =
            head.code(at: 0) == "riff" && head.bigEndian32(at: 4) == 0x2E91_CF11 && head.code(at: 24) == "wave"
        return isWave64 ? .w64 : nil
    }

    /// A bitmap header of a known length behind the file header (BMP), one plane in it, and pixels behind it. The words
    /// that BMP reserves are the hot spot of OS/2's icons.
    private static func hasBitmapHeader(_ head: Span<UInt8>) -> Bool {
        guard let length = head.littleEndian32(at: 14), [12, 16, 40, 52, 56, 64, 108, 124].contains(length),
            let pixels = head.littleEndian32(at: 10)
        else { return false }
        return head.littleEndian16(at: length == 12 ? 22 : 26) == 1 && pixels >= 14 + length
    }

    /// Some entries, and a reserved zero in the first one.
    private static func hasIconEntries(_ head: Span<UInt8>) -> Bool {
        (head.littleEndian16(at: 4) ?? 0) > 0 && head.byte(at: 9) == 0
    }

    /// Formats without a magic number, known by the rhythm of their packets. Asked last: the test is the weakest.
    private static func ofFrameSync(_ head: Span<UInt8>) -> MediaSignature? {
        if head.byte(at: 0) == 0x47, head.byte(at: 188) == 0x47, head.byte(at: 376) == 0x47 { return .mpegTS }
        // An MPEG audio frame: sync, a layer, a bit rate and a sample rate that exist (ISO 11172-3, 2.4.1.3).
        if let word = head.bigEndian32(at: 0), word >> 21 == 0x7FF, (word >> 17) & 3 == 1,
            (1...14).contains((word >> 12) & 15), (word >> 10) & 3 != 3
        {
            return .mp3
        }
        // AAC in the frames of broadcasts: sync, no layer, a sample rate that exists (ISO 13818-7, 6.2).
        if let word = head.bigEndian16(at: 0), word & 0xFFF6 == 0xFFF0, (head.byte(at: 2) ?? 0xFF) >> 2 & 15 <= 12 {
            return .aac
        }
        return nil
    }
}
