/// What the samples of a TIFF's pixels are, so far as FFmpeg 5.1's decoder (libavcodec/tiff.c, `init_image`) lays them out
/// rightly, or they are assembled here; the refusals were tried with 5.1.9.
package struct TIFFSamples: Sendable, Equatable {
    /// Bits of a sample: 1, 2, 4, 8, 12 or 16.
    package let bitDepth: Int
    package let count: Int
    package let colorModel: TIFFHeader.ColorModel
    package let alpha: TIFFHeader.Alpha
    /// Whether each sample has strips or tiles of its own.
    package let isPlanar: Bool
    package let isLittleEndian: Bool
    package let compression: TIFFCompression
    /// Whether each sample is the difference from the one of the pixel before (TIFF 6.0, section 14).
    package let hasPredictor: Bool
    /// `nil` unless the colours are YCbCr.
    package let luma: TIFFLuma?

    init(_ fields: TIFFFields, of tiff: Span<UInt8>) throws(MediaHeaderError) {
        let code = try fields.number(.compression, of: tiff) ?? 1
        guard let compression = TIFFCompression(rawValue: code) else { throw .unsupported("TIFF compression \(code)") }
        guard compression.isDecoded else { throw .unsupported("TIFF of \(compression.name)") }
        self.compression = compression
        let bits = try fields.numbers(.bitsPerSample, limit: 5, of: tiff) ?? [1]
        count = try fields.number(.samplesPerPixel, of: tiff) ?? bits.count
        bitDepth = bits[0]
        guard (1...5).contains(count) else { throw .unsupported("TIFF of \(count) samples") }
        guard bits.count == 1 || bits.count == count else { throw .malformed("TIFF bits per sample") }
        guard bits.allSatisfy({ $0 == bits[0] }) else { throw .unsupported("TIFF samples of unlike bits") }
        for format in try fields.numbers(.sampleFormat, limit: 5, of: tiff) ?? [] where format != 1 && format != 4 {
            throw .unsupported(format == 3 ? "floating-point TIFF" : "TIFF sample format \(format)")
        }
        let photometric = try fields.number(.photometric, of: tiff)
        colorModel = try Self.colorModel(photometric, inkSet: try fields.number(.inkSet, of: tiff) ?? 1)
        luma = colorModel == .yCbCr ? try TIFFLuma(fields, of: tiff) : nil
        isLittleEndian = fields.isLittleEndian
        hasPredictor = try fields.number(.predictor, of: tiff) == 2
        let planes = try fields.number(.planarConfiguration, of: tiff) ?? 1
        isPlanar = count > 1 && planes == 2
        let extra = count - colorModel.samples
        guard extra == 0 || extra == 1 else { throw .unsupported("TIFF of \(count) samples as \(colorModel)") }
        let meaning = try fields.numbers(.extraSamples, limit: 5, of: tiff)?.first
        alpha = extra == 0 ? .none : meaning == 1 ? .associated : meaning == 2 ? .unassociated : .unspecified
        guard hasKnownLayout else {
            let place = isPlanar ? " in planes" : ""
            throw .unsupported("TIFF of \(count) samples of \(bitDepth) bits as \(colorModel)\(place)")
        }
        try judge(isInverted: photometric == 0, fields, of: tiff)
    }

    private static func colorModel(
        _ photometric: Int?, inkSet: Int
    ) throws(MediaHeaderError) -> TIFFHeader.ColorModel {
        switch photometric {
        case 0, 1: return .grey
        case 2: return .rgb
        case 3: return .palette
        case 5:
            guard inkSet == 1 else { throw .unsupported("TIFF of other inks than CMYK") }
            return .cmyk
        case 6: return .yCbCr
        case 8, 9, 10: throw .unsupported("TIFF of L*a*b*")
        case 32_803, 34_892: throw .unsupported("camera raw in TIFF")
        case nil: throw .malformed("TIFF without a photometric interpretation")
        default: throw .unsupported("TIFF photometric interpretation \(photometric ?? 0)")
        }
    }

    private var hasKnownLayout: Bool {
        if compression == .jpeg {
            return bitDepth == 8 && alpha == .none && colorModel != .palette && (count == 1 || !isPlanar)
        }
        return switch (colorModel, count) {
        case (.grey, 1): [1, 2, 4, 8, 12, 16].contains(bitDepth)
        case (.grey, _): (bitDepth == 8 || bitDepth == 16) && !isPlanar
        case (.palette, _): count == 1 && [1, 2, 4, 8].contains(bitDepth)
        case (.rgb, _), (.cmyk, _): bitDepth == 8 || bitDepth == 16
        case (.yCbCr, _): count == 3 && bitDepth == 8 && !isPlanar && !hasPredictor
        }
    }

    /// Tags that the decoder knows, but not in every company.
    private func judge(
        isInverted: Bool, _ fields: TIFFFields, of tiff: Span<UInt8>
    ) throws(MediaHeaderError) {
        guard fields.has(.colorMap) == (colorModel == .palette) else { throw .malformed("TIFF palette") }
        if let palette = fields.entry(.colorMap) {
            guard palette.count == 3 << bitDepth, palette.width > 0 else { throw .malformed("TIFF palette") }
            guard palette.range.upperBound <= tiff.count else { throw .truncated("the TIFF palette") }
        }
        if compression.isFax, bitDepth != 1 || count != 1 || colorModel != .grey {
            throw .malformed("TIFF of \(compression.name): more than one bit")
        }
        if isInverted, alpha != .none || bitDepth == 12 || compression == .jpeg {
            throw .unsupported("inverted TIFF of 12 bits, of JPEG or with alpha")
        }
        // FFmpeg does not unpack these.
        if bitDepth == 12, ![.none, .lzw, .packBits].contains(compression) {
            throw .unsupported("TIFF of 12 bits, \(compression.name)")
        }
        let fillOrder = try fields.number(.fillOrder, of: tiff) ?? 1
        if fillOrder != 1, bitDepth != 1 || colorModel != .grey { throw .unsupported("TIFF fill order \(fillOrder)") }
        switch try fields.number(.predictor, of: tiff) ?? 1 {
        case 1: break
        case 2 where compression.hasPredictor && (bitDepth == 8 || bitDepth == 16): break
        case let other: throw .unsupported("TIFF predictor \(other) of \(bitDepth) bits, \(compression.name)")
        }
    }

    /// Whether the parts are decoded one by one. FFmpeg makes RGB of inks without their profile, says neither matrix nor
    /// range of YCbCr, and leaves pictures of JPEG black.
    package var isAssembled: Bool {
        colorModel == .cmyk || colorModel == .yCbCr || compression == .jpeg
    }

    /// Bytes of a part of one plane when nothing is compressed.
    func partBytes(width: Int, height: Int) -> Int {
        if let luma, compression != .jpeg { return luma.bytes(width: width, height: height) }
        let rowBits = width.multipliedOrMax(by: bitDepth * (isPlanar ? 1 : count))
        return (rowBits.addedOrMax(7) / 8).multipliedOrMax(by: height)
    }

    /// Bytes of the decoded picture as it is laid out.
    func decodedBytes(width: Int, height: Int) -> Int {
        if bitDepth == 1, colorModel == .grey { return ((width + 7) / 8).multipliedOrMax(by: height) }
        let perPixel =
            switch colorModel {
            // Inks become red, green and blue part by part.
            case .cmyk: count - 1
            case .grey, .palette, .rgb, .yCbCr: count * (bitDepth > 8 ? 2 : 1)
            }
        return width.multipliedOrMax(by: height).multipliedOrMax(by: perPixel)
    }
}
