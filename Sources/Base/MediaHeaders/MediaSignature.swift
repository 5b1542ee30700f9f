package import Base

/// The recognition of a file's format by its first bytes, not by its name or the server's `Content-Type`.
///
/// This target reads the headers of media files, and decodes nothing.
///
/// The input is a `Span` of a file or its beginning, the output the facts of its header or a `MediaHeaderError`.
///
/// - Signatures name each format that may arrive. Their magic numbers are in the table of `MediaFormat`.
/// - The walks of JPEG, PNG, GIF and WebP report size, orientation, frames and completeness. These walks also list the
///   ranges of the file that stay when its metadata is removed.
/// - The walks of HEIC and AVIF list the bytes that a decoder needs, and how the coded images are joined.
/// - The walks of BMP and icons refuse variants that the decoder would show wrongly.
/// - The walk of MP4 refuses a file whose tables would fill a demuxer's memory.
///
/// The target does no I/O, uses no pointers, and has no recursion. Each loop is bounded by the number of bytes or by a
/// fixed limit. All functions run on the caller's thread, in the daemon and in the worker, and do not suspend.
///
/// To add a new signature, do this: write the magic number into the facts of the `MediaFormat`. For a format without a
/// magic number, extend `ofISOBaseMedia`, `ofText` or `ofFrameSync`. Then add a sample to the table of
/// `MediaSignatureTests`, or to that of `RefusedSignatureTests` if the format is not decoded: a test fails until the
/// tables have the format.
package enum MediaSignature {
    /// The number of bytes from the start of a file that are enough for each signature.
    package static let wantedBytes = 512

    /// Returns the format of a file that starts with these bytes; `nil` if the format is unknown.
    ///
    /// The function reads at most `wantedBytes` bytes. Fewer bytes are enough for most formats.
    package static func of(_ bytes: Span<UInt8>) -> MediaFormat? {
        let head = bytes.extracting(first: min(bytes.count, wantedBytes))
        return ofMagic(head) ?? ofISOBaseMedia(head) ?? ofText(head) ?? ofFrameSync(head)
    }

    /// Returns the format of a file with a magic number. Further fields are checked if it is short or ambiguous.
    private static func ofMagic(_ head: Span<UInt8>) -> MediaFormat? {
        switch MediaFormat.withMagic(head) {
        case .matroska: head.firstOffset(ofAnyCase: "webm") == nil ? .matroska : .webm
        case .tiff: hasRawDirectory(head) ? .cameraRaw : .tiff
        case .bmp: head.littleEndian32(at: 6) == 0 || hasBitmapHeader(head) ? .bmp : nil
        // A TGA may begin with the bytes of an icon or a cursor, but its next bytes are no list of images.
        case .ico: hasIconEntries(head) ? .ico : nil
        case let format: format
        }
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

    /// Returns the format of a file that has no magic number, by the sync bytes of its packets: the weakest test.
    private static func ofFrameSync(_ head: Span<UInt8>) -> MediaFormat? {
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

extension MediaSignature {
    /// Returns whether the first directory of a TIFF belongs to a raw image.
    ///
    /// NEF, ARW and DNG files begin with the directory of a reduced image. It refers to that of the raw image.
    static func hasRawDirectory(_ head: Span<UInt8>) -> Bool {
        guard let directory = TIFFDirectory.firstDirectory(of: head) else { return false }
        var isSmall = false
        var hasOthers = false
        for index in 0..<directory.entryCount {
            let start = directory.entriesOffset + index * TIFFDirectory.entryBytes
            guard let entry = TIFFEntry(at: start, isLittleEndian: directory.isLittleEndian, of: head) else { break }
            switch TIFFTag(rawValue: entry.tag) {
            case .dngVersion, .mosaicPattern, .mosaicDimensions: return true
            case .newSubfileType: isSmall = entry.value(of: head) == 1
            case .subDirectories: hasOthers = true
            default: break
            }
        }
        return isSmall && hasOthers
    }
}
