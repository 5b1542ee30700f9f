/// What the samples of a TIFF's pixels are, so far as FFmpeg 5.1's decoder (libavcodec/tiff.c, `init_image`) lays them out
/// rightly; the refusals were tried with 5.1.9.
struct TIFFSamples {
    let bitDepth: Int
    let count: Int
    let colorModel: TIFFHeader.ColorModel
    let alpha: TIFFHeader.Alpha
    let isPlanar: Bool
    let compression: TIFFCompression

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
        let planes = try fields.number(.planarConfiguration, of: tiff) ?? 1
        isPlanar = count > 1 && planes == 2
        let extra = count - colorModel.samples
        guard extra == 0 || extra == 1 else { throw .unsupported("TIFF of \(count) samples as \(colorModel)") }
        let meaning = try fields.numbers(.extraSamples, limit: 5, of: tiff)?.first
        alpha = extra == 0 ? .none : meaning == 1 ? .associated : meaning == 2 ? .unassociated : .unspecified
        guard hasKnownLayout(isLittleEndian: fields.isLittleEndian) else {
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
        // FFmpeg says neither matrix nor range of these, and takes a wrong subsampling where the file names none.
        case 6: throw .unsupported("TIFF of YCbCr")
        case 8, 9, 10: throw .unsupported("TIFF of L*a*b*")
        case 32_803, 34_892: throw .unsupported("camera raw in TIFF")
        case nil: throw .malformed("TIFF without a photometric interpretation")
        default: throw .unsupported("TIFF photometric interpretation \(photometric ?? 0)")
        }
    }

    private func hasKnownLayout(isLittleEndian: Bool) -> Bool {
        switch (colorModel, count) {
        case (.grey, 1): [1, 2, 4, 8, 12, 16].contains(bitDepth)
        case (.grey, _): (bitDepth == 8 || bitDepth == 16) && !isPlanar
        case (.palette, _): count == 1 && [1, 2, 4, 8].contains(bitDepth)
        case (.rgb, _): bitDepth == 8 || bitDepth == 16
        // Of 16 bits FFmpeg converts the big-endian ones only.
        case (.cmyk, 4): (bitDepth == 8 || bitDepth == 16 && !isLittleEndian) && !isPlanar
        case (.cmyk, _): bitDepth == 8 && !isPlanar
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
        if isInverted, alpha != .none || bitDepth == 12 { throw .unsupported("inverted TIFF of 12 bits or with alpha") }
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

    /// Bytes of the decoded picture as the decoder lays it out.
    func decodedBytes(width: Int, height: Int) -> Int {
        if bitDepth == 1, colorModel == .grey { return ((width + 7) / 8).multipliedOrMax(by: height) }
        // Of CMYK with alpha it keeps all five samples while it converts them to four.
        let perPixel = (colorModel == .cmyk && count == 5 ? 9 : count) * (bitDepth > 8 ? 2 : 1)
        return width.multipliedOrMax(by: height).multipliedOrMax(by: perPixel)
    }
}
