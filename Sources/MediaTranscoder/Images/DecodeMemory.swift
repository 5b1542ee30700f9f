import MediaHeaders

/// The number of bytes that decoding a picture holds at once, told from its headers: the decoded picture, and the working
/// memory of the decoder and of the steps before scaling. Pure.
///
/// Measured at the limits of each format, with a worker's data (`VmData`), and right to a few hundredths.
struct DecodeMemory: Equatable {
    /// The bytes that a worker (`RLIMIT_DATA`: 256 MiB) has for it: before its first job a worker holds 34 MiB, and scaling
    /// a picture takes up to 24 MiB.
    static let mostBytes = 197 << 20

    /// However far the sides are halved.
    var kept = 0
    /// Bytes for the picture at full size; a quarter of it for each halving of the sides.
    var scaled: Int

    func bytes(halvings: Int = 0) -> Int { kept.addedOrMax(scaled >> (2 * halvings)) }

    /// How often the sides have to be halved for a worker to hold it; `nil` where three times are too few.
    var leastHalvings: Int? { (0...3).first { bytes(halvings: $0) <= Self.mostBytes } }
}

extension DecodeMemory {
    /// Rows of four inks become light all at once; other samplings than the plain ones are decoded to RGB.
    init(_ header: JPEGHeader) {
        kept = header.coefficientBytes
        scaled =
            if header.components.count > 3 { header.pixels * (4 + 3) } else if header.hasPlainSampling {
                header.decodedBytes
            } else { header.pixels * 3 }
    }

    /// A lossy picture with alpha is decoded in 4:2:0 and then converted as a whole.
    ///
    /// For an animation, libwebp holds the screen, the screen before it, and a frame that may be as large and is decoded
    /// by way of a copy. The frame that is handed out is one more copy.
    init(_ header: WebPHeader) {
        guard !header.isAnimated else {
            kept = Self.encoder
            scaled = (header.width * header.height).multipliedOrMax(by: 20)
            return
        }
        let isConverted = header.hasAlpha && !header.isLossless
        scaled = header.decodedBytes + (isConverted ? header.width * header.height * 4 : 0)
    }

    /// An animation takes as much memory as its video: the canvas, the canvas before it if a frame restores it, and an
    /// encoder. A frame that is rewritten is a copy.
    init(_ header: GIFHeader) {
        kept = (header.isAnimated ? Self.encoder : 0) + (header.isPartlyUncovered ? header.kept.byteCount : 0)
        scaled = header.decodedBytes * (header.isAnimated && header.restoresPrevious ? 2 : 1)
    }

    /// The frames of an APNG: the decoder holds the screen, the one before it and one to go back to.
    init(frames header: PNGHeader) {
        kept = Self.encoder
        scaled = header.decodedBytes.multipliedOrMax(by: 3).addedOrMax(
            (header.width).multipliedOrMax(by: header.height * 8)
        ).addedOrMax(Self.toneMapping(header))
    }

    /// A PNG, whose colours may become SDR before it is scaled.
    init(_ header: PNGHeader) {
        scaled = header.decodedBytes.addedOrMax(Self.toneMapping(header))
    }

    /// High dynamic range with an alpha is mapped as a whole: the alpha, three samples of 16 bits, and three of 8.
    private static func toneMapping(_ header: PNGHeader) -> Int {
        guard header.hasAlpha, let colour = header.colour, colour.transfer == 16 || colour.transfer == 18 else {
            return 0
        }
        return header.width.multipliedOrMax(by: header.height).multipliedOrMax(by: 4 + 6 + 3)
    }

    /// The frames of a sequence: dav1d holds eight frames that others refer to, and as many of their alpha.
    init(_ sequence: HEIFSequence) {
        kept = Self.encoder
        scaled = sequence.frameBytes.multipliedOrMax(by: 9).addedOrMax(
            sequence.colours.pixels.multipliedOrMax(by: 8))
    }

    /// x264 for 1,280 by 1,280 pixels.
    private static let encoder = 64_000_000

    /// - Parameter alpha: where it is none, or multiplied in, the picture is converted to planes as a whole.
    init(decodedBytes: Int, pixels: Int = 0, alpha: ImageFacts.AlphaMeaning = .coverage) {
        let planes =
            switch alpha {
            case .coverage: 0
            case .meansNothing: 3
            case .isMultipliedIn: 4
            }
        scaled = decodedBytes.addedOrMax(pixels.multipliedOrMax(by: planes))
    }

    /// The picture of a HEIF file, then its alpha, which are laid into four planes one after the other.
    init(_ header: HEIFHeader) {
        scaled = Self.bytes(decoding: header.image)
        guard let alpha = header.alpha else {
            if header.image.isCutBetweenSamples { scaled = scaled.addedOrMax(header.image.pixels * 3) }
            return
        }
        let planes = header.image.pixels * 4
        // High dynamic range is spread to three samples of 16 bits, which become three of 8.
        if header.image.mayBeHDR {
            scaled = max(
                scaled, (header.image.pixels * 6).addedOrMax(header.image.pictureBytes), header.image.pixels * 9)
        }
        // An alpha of another size, or not of all 256 values, is scaled or stretched into the plane.
        scaled = max(
            scaled, planes.addedOrMax(header.image.pictureBytes), planes.addedOrMax(Self.bytes(decoding: alpha)))
    }

    /// The tiles of a grid are copied into the picture one by one; the first stays until the last is there.
    private static func bytes(decoding image: HEIFImage) -> Int {
        let tilePixels = image.tileWidth.multipliedOrMax(by: image.tileHeight)
        // In tenths: libavcodec's tables of motion and blocks, dav1d's of filters and motion.
        let tables =
            switch image.codec {
            case .hevc: tilePixels.multipliedOrMax(by: 15) / 10
            case .av1: tilePixels.multipliedOrMax(by: 6) / 10
            case .jpeg: 0
            }
        guard image.isGrid else { return image.decodedBytes.addedOrMax(tables) }
        let tile = image.decodedBytes / image.tiles.count
        return image.pictureBytes.addedOrMax(tables).addedOrMax(2 * tile)
    }
}

extension HEIFImage {
    /// Whether the file says PQ or HLG (ITU-T H.273, table 3), or leaves it to the stream of a deep picture to say so.
    fileprivate var mayBeHDR: Bool { colour.map { $0.transfer == 16 || $0.transfer == 18 } ?? (bitDepth > 8) }
}
