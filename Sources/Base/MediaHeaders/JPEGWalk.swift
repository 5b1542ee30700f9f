/// A single pass over the markers of a JPEG. The state holds the facts of the segments so far.
struct JPEGWalk {
    /// The maximum number of segments. A photo has about a dozen. A split ICC profile or XMP adds some hundred.
    static let maxSegments = 16_384

    private var frame: (width: Int, height: Int, bitDepth: Int, process: JPEGHeader.Process)?
    private var components: [JPEGHeader.Component] = []
    private var scans: [JPEGScan] = []
    private var isComplete = false
    private var orientation: ImageOrientation?
    private var kept = RetainedRanges()
    /// The parts of the ICC profile by their numbers, which begin with 1.
    private var profileParts: [Int: Range<Int>] = [:]
    private var profilePartCount = 0
    private var coarsestMean = 0
    private var decoding: [JPEGSegment] = []
    /// The transform in the last Adobe segment, which takes precedence over the others.
    private var adobeTransform: UInt8?
    private var adobeSegments: [Range<Int>] = []

    static func header(of bytes: Span<UInt8>) throws(MediaHeaderError) -> JPEGHeader {
        guard bytes.bigEndian16(at: 0) == 0xFFD8 else { throw .wrongFormat }
        var walk = JPEGWalk()
        try walk.kept.keep(0..<2)
        var offset = 2
        var segments = 0
        while let next = try walk.step(bytes, at: offset) {
            offset = next
            segments += 1
            guard segments <= maxSegments else { throw .excessive("JPEG segments") }
        }
        guard let frame = walk.frame else { throw .truncated("the JPEG header") }
        guard !walk.scans.isEmpty else { throw .truncated("the JPEG header, before its first scan") }
        try walk.judgeAdobe()
        return JPEGHeader(
            width: frame.width, height: frame.height, process: frame.process, bitDepth: frame.bitDepth,
            components: walk.components, scans: walk.scans, isComplete: walk.isComplete,
            orientation: walk.orientation ?? .upright, kept: walk.kept,
            hasMetadata: !walk.kept.isWhole(of: bytes.count), colorProfile: walk.colorProfile,
            coarsestMean: walk.coarsestMean, segments: walk.decoding, adobeTransform: walk.adobeTransform)
    }

    /// Removes Adobe's segments if their transform does not apply to three components.
    ///
    /// Three components are coded as RGB (0) or YCbCr (1). For another transform, decoders log a warning and assume
    /// YCbCr (libjpeg's jdapimin.c). Without the segment there is no warning.
    private mutating func judgeAdobe() throws(MediaHeaderError) {
        guard let transform = adobeTransform, components.count == 3, transform > 1 else { return }
        try kept.leaveOut(adobeSegments)
        adobeTransform = nil
    }

    private var colorProfile: [Range<Int>] {
        let parts = (1...max(1, profilePartCount)).compactMap { profileParts[$0] }
        return parts.count == profilePartCount ? parts : []
    }

    /// Reads the segment at the offset and returns that of the next one; `nil` at the end of the image or the bytes.
    private mutating func step(_ bytes: Span<UInt8>, at start: Int) throws(MediaHeaderError) -> Int? {
        // Between segments there may be fill bytes and stray bytes. Each decoder skips them.
        var offset = start
        while let byte = bytes.byte(at: offset), byte != 0xFF { offset += 1 }
        while bytes.byte(at: offset) == 0xFF { offset += 1 }
        guard let marker = bytes.byte(at: offset) else { return nil }
        let segment = offset - 1
        switch marker {
        case 0x00, 0x01, 0xD0...0xD8:
            try kept.keep(segment..<offset + 1)
            return offset + 1
        case 0xD9:
            try kept.keep(segment..<offset + 1)
            isComplete = true
            return nil
        default: break
        }
        guard let stated = bytes.bigEndian16(at: offset + 1) else { return nil }
        // If a comment or an application's segment states a length below 2, decoders treat the segment as empty.
        guard stated >= 2 || (0xE0...0xEF).contains(marker) || marker == 0xFE else {
            throw .malformed("JPEG segment length")
        }
        let length = max(2, stated)
        let end = offset + 1 + length
        guard end <= bytes.count else { return nil }
        let body = bytes.extracting(offset + 3..<end)
        switch marker {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            try readFrame(body, marker: marker)
            decoding.append(JPEGSegment(marker: marker, body: offset + 3..<end))
            try kept.keep(segment..<end)
        case 0xDA:
            guard frame != nil else { throw .malformed("JPEG: a scan before the frame") }
            let scanEnd = Self.endOfScan(bytes, from: end)
            scans.append(JPEGScan(body, of: components, end: scanEnd))
            decoding.append(JPEGSegment(marker: marker, body: offset + 3..<end))
            try kept.keep(segment..<scanEnd)
            return scanEnd
        case 0xE0...0xEF, 0xFE:
            if marker == 0xE1, orientation == nil, body.spells("Exif\0\0", at: 0) {
                orientation = ImageOrientation.inExif(body.extracting(6..<body.count))
            }
            if marker == 0xE2 { noteProfile(body, at: offset + 3) }
            if marker == 0xEE, body.spells("Adobe", at: 0), let transform = body.byte(at: 11) {
                adobeTransform = transform
                adobeSegments.append(segment..<end)
            }
            if Self.isKept(body, marker: marker) { try kept.keep(segment..<end) }
        // The segments of these markers have tables: Huffman codes, arithmetic conditioning, quantization, number of
        // lines, restart interval, hierarchy and expansion.
        case 0xC4, 0xCC, 0xDB...0xDF:
            if marker == 0xDB { noteTables(body) }
            decoding.append(JPEGSegment(marker: marker, body: offset + 3..<end))
            try kept.keep(segment..<end)
        // These markers are reserved (ITU-T T.81, table B.1). Decoders skip them, as they are no part of the image.
        default: break
        }
        return end
    }

    private mutating func readFrame(_ body: Span<UInt8>, marker: UInt8) throws(MediaHeaderError) {
        guard frame == nil else { throw .malformed("JPEG: a second frame") }
        guard let bitDepth = body.byte(at: 0), let height = body.bigEndian16(at: 1),
            let width = body.bigEndian16(at: 3),
            let count = body.byte(at: 5), (1...4).contains(count), body.count >= 6 + 3 * Int(count), width > 0,
            height > 0
        else { throw .malformed("JPEG frame header") }
        let process: JPEGHeader.Process =
            switch marker {
            case 0xC0: .baseline
            case 0xC1: .extended
            case 0xC2: .progressive
            case 0xC9: .arithmetic
            case 0xCA: .arithmeticProgressive
            default: .other
            }
        for index in 0..<Int(count) {
            let sampling = Int(body[6 + 3 * index + 1])
            guard (1...4).contains(sampling >> 4), (1...4).contains(sampling & 15) else {
                throw .malformed("JPEG sampling factors")
            }
            components.append(
                .init(
                    identifier: body[6 + 3 * index], horizontalSampling: sampling >> 4, verticalSampling: sampling & 15,
                    quantizationTable: Int(body[6 + 3 * index + 2])))
        }
        frame = (width, height, Int(bitDepth), process)
    }

    /// Reads the first number of each quantization table (ITU-T T.81, B.2.4.1), which is the step of the block means.
    private mutating func noteTables(_ body: Span<UInt8>) {
        var offset = 0
        while let kind = body.byte(at: offset) {
            let isWide = kind >> 4 > 0
            guard let first = isWide ? body.bigEndian16(at: offset + 1) : body.byte(at: offset + 1).map(Int.init) else {
                return
            }
            coarsestMean = max(coarsestMean, first)
            offset += isWide ? 129 : 65
        }
    }

    /// Reads a part of the ICC profile (ICC.1, annex B.4): its number, the number of parts, then its bytes.
    private mutating func noteProfile(_ body: Span<UInt8>, at start: Int) {
        guard body.spells("ICC_PROFILE\0", at: 0), let number = body.byte(at: 12), let count = body.byte(at: 13),
            number > 0, number <= count
        else { return }
        profilePartCount = Int(count)
        profileParts[Int(number)] = start + 14..<start + body.count
    }

    /// Returns whether the colors depend on an application's segment: JFIF, the Adobe transform, or the ICC profile.
    private static func isKept(_ body: Span<UInt8>, marker: UInt8) -> Bool {
        switch marker {
        // A JFIF segment stays if decoders know its version, without a thumbnail, which may show more than the image.
        case 0xE0: body.spells("JFIF\0\u{1}", at: 0) && body.count == 14
        case 0xE2: body.spells("ICC_PROFILE\0", at: 0)
        case 0xEE: body.spells("Adobe", at: 0)
        default: false
        }
    }

    /// Returns the offset of the first marker after entropy-coded bytes, or the end of the bytes. Stuffed zeros and
    /// restart markers are skipped.
    private static func endOfScan(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        let words = bytes.bytes
        while offset + 9 <= bytes.count {
            // Most words of eight bytes have no byte of 0xFF. After all bits are inverted, a byte of 0xFF is zero.
            let word = ~UInt64(littleEndian: words.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            guard zeros != 0 else {
                offset += 8
                continue
            }
            // The lowest marked byte is certainly zero. Marks above it may come from a borrow in the subtraction.
            offset += zeros.trailingZeroBitCount >> 3
            if isMarker(bytes[offset + 1]) { return offset }
            offset += 1
        }
        while offset + 1 < bytes.count {
            if bytes[offset] == 0xFF, isMarker(bytes[offset + 1]) { return offset }
            offset += 1
        }
        return bytes.count
    }

    /// Returns whether a byte after 0xFF makes a marker that ends a scan.
    private static func isMarker(_ byte: UInt8) -> Bool {
        byte != 0 && byte != 0xFF && !(0xD0...0xD7).contains(byte)
    }
}
