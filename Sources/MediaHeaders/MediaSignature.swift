/// The format of a file, recognized by its first bytes. The file's name and the server's `Content-Type` have no
/// influence.
///
/// This target reads the headers of media files, and decodes nothing.
///
/// The input is a `Span` with the bytes of a file or of its beginning. The output is a value with the facts of the
/// header, or a `MediaHeaderError`.
///
/// - Signatures name each format that may arrive.
/// - The walks of JPEG, PNG, GIF and WebP report size, orientation, frames and completeness. They also list the ranges
///   of the file that stay when its metadata is removed.
/// - The walks of HEIC and AVIF list the bytes that a decoder needs, and how the coded images are joined.
/// - The walks of BMP and icons refuse variants that the decoder would show wrongly.
/// - The walk of MP4 refuses a file whose tables would fill a demuxer's memory.
///
/// The target does no I/O, uses no pointers, and has no recursion. Each loop is bounded by the number of bytes or by a
/// fixed limit. All functions run on the caller's thread, in the daemon and in the worker. They do not suspend, so no
/// component cancels them.
package enum MediaSignature: String, Sendable, Equatable, CaseIterable {
    case jpeg, png, gif, webp, heic, avif, bmp, tiff, ico, svg
    case jpeg2000, jpegXL, psd
    /// The data of a camera's sensor in the format of the camera's maker: DNG, CR2, NEF and similar formats.
    case cameraRaw
    case mp4, quickTime, webm, matroska, avi, mpegPS, mpegTS
    /// Windows Media, with or without a video stream.
    case asf
    case flv
    case m4a, mp3, aac
    /// WAV, and its variants with lengths of 64 bits: RF64 and BW64.
    case wav
    case aiff, ogg, flac
    /// AMR, the codec of mobile telephones, with 8,000 or 16,000 samples per second.
    case amr
    case caf, au, w64
    case pdf, html, xml, zip, gzip
    /// A text that names other files for a player to open: HLS, M3U, PLS, ASX, SMIL, XSPF, ffconcat, DASH or SDP.
    case playlist

    /// The number of bytes from the start of a file that are enough for each signature.
    package static let wantedBytes = 512

    /// Returns the format of a file that starts with these bytes; `nil` if the format is unknown.
    ///
    /// The function reads at most `wantedBytes` bytes. Fewer bytes are enough for most formats.
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
        // These are BigTIFF files, whose offsets have eight bytes.
        case 0x4949_2B00 where head.littleEndian16(at: 4) == 8: return .tiff
        case 0x4D4D_002B where head.bigEndian16(at: 4) == 8: return .tiff
        case 0x0000_000C where head.bigEndian32(at: 8) == 0x0D0A_870A:
            return head.code(at: 4) == "jP  " ? .jpeg2000 : head.code(at: 4) == "JXL " ? .jpegXL : nil
        case 0xFF4F_FF51: return .jpeg2000
        case 0x0000_01BA: return .mpegPS
        case 0x504B_0304, 0x504B_0506: return .zip
        // This is an icon or a cursor. A TGA may begin with the same bytes, but it has no number of images at this
        // offset.
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

    /// Returns the format of a file that begins with an identifier of 16 bytes: Windows Media, or Sony's Wave64, whose
    /// form type follows at offset 24. `nil` for other bytes.
    private static func ofIdentifier(_ head: Span<UInt8>) -> MediaSignature? {
        if ASFHeader.begins(head) { return .asf }
        let isWave64 =
            head.code(at: 0) == "riff" && head.bigEndian32(at: 4) == 0x2E91_CF11 && head.code(at: 24) == "wave"
        return isWave64 ? .w64 : nil
    }

    /// Returns whether a BMP's bitmap header has a known length and one plane, and the pixels follow after it.
    ///
    /// The reserved fields of the file header are not checked, because OS/2 icons have their hot spot there.
    private static func hasBitmapHeader(_ head: Span<UInt8>) -> Bool {
        guard let length = head.littleEndian32(at: 14), [12, 16, 40, 52, 56, 64, 108, 124].contains(length),
            let pixels = head.littleEndian32(at: 10)
        else { return false }
        return head.littleEndian16(at: length == 12 ? 22 : 26) == 1 && pixels >= 14 + length
    }

    /// Returns whether the directory has at least one entry, and the reserved byte of the first entry is zero.
    private static func hasIconEntries(_ head: Span<UInt8>) -> Bool {
        (head.littleEndian16(at: 4) ?? 0) > 0 && head.byte(at: 9) == 0
    }

    /// Returns the format of a file that has no magic number, by the sync bytes of its packets. This test is the
    /// weakest, so it is the last one.
    private static func ofFrameSync(_ head: Span<UInt8>) -> MediaSignature? {
        if head.byte(at: 0) == 0x47, head.byte(at: 188) == 0x47, head.byte(at: 376) == 0x47 { return .mpegTS }
        // An MPEG audio frame has a sync word, then a valid layer, bit rate and sample rate (ISO 11172-3, 2.4.1.3).
        if let word = head.bigEndian32(at: 0), word >> 21 == 0x7FF, (word >> 17) & 3 == 1,
            (1...14).contains((word >> 12) & 15), (word >> 10) & 3 != 3
        {
            return .mp3
        }
        // An AAC frame of a broadcast (ADTS) has a sync word, no layer, and a valid sample rate (ISO 13818-7, 6.2).
        if let word = head.bigEndian16(at: 0), word & 0xFFF6 == 0xFFF0, (head.byte(at: 2) ?? 0xFF) >> 2 & 15 <= 12 {
            return .aac
        }
        return nil
    }
}
