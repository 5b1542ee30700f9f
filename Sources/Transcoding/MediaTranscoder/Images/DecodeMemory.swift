import MediaHeaders

/// The largest number of bytes that decoding an image holds at one time, computed from its headers. It covers the
/// decoded image and the working memory of the decoder and of the steps before scaling. The type has no side effects.
///
/// The formulas were measured at each format's limits (`VmData` of a worker), and are accurate to a few percent.
struct DecodeMemory: Equatable {
    /// The number of bytes that a worker can use for decoding. `RLIMIT_DATA` is 256 MiB. A worker holds 34 MiB before
    /// its first job, and scaling an image takes up to 24 MiB.
    static let maxBytes = 197 << 20

    /// The number of bytes that do not depend on the halvings of the sides.
    var kept = 0
    /// The number of bytes for the image at full size. Each halving of the sides divides this number by four.
    var scaled: Int

    func bytes(halvings: Int = 0) -> Int { kept.addedOrMax(scaled >> (2 * halvings)) }

    /// The fewest halvings of the sides with which a worker can decode the image; `nil` if three are too few.
    var minHalvings: Int? { (0...3).first { bytes(halvings: $0) <= Self.maxBytes } }
}

extension DecodeMemory {
    /// Computes the memory for a JPEG. CMYK is converted to RGB as a whole. An unusual sampling is decoded to RGB.
    init(_ header: JPEGHeader) {
        kept = header.coefficientBytes
        scaled =
            if header.components.count > 3 { header.pixels * (4 + 3) } else if header.hasPlainSampling {
                header.decodedBytes
            } else { header.pixels * 3 }
    }

    /// Computes the memory for a WebP. A lossy image with alpha is decoded in 4:2:0 and then converted as a whole.
    ///
    /// For an animation, libwebp holds the canvas, the previous one, a frame, and a copy of it. The result is one more.
    init(_ header: WebPHeader) {
        guard !header.isAnimated else {
            kept = Self.encoder
            scaled = (header.width * header.height).multipliedOrMax(by: 20)
            return
        }
        let isConverted = header.hasAlpha && !header.isLossless
        scaled = header.decodedBytes + (isConverted ? header.width * header.height * 4 : 0)
    }

    /// Computes the memory for a GIF. An animation needs the memory of its video: the canvas and an encoder. A frame
    /// that restores the earlier canvas needs that canvas too, and a rewritten frame is a copy.
    init(_ header: GIFHeader) {
        kept = (header.isAnimated ? Self.encoder : 0) + (header.isPartlyUncovered ? header.kept.byteCount : 0)
        scaled = header.decodedBytes * (header.isAnimated && header.restoresPrevious ? 2 : 1)
    }

    /// Computes the memory for the frames of an APNG: the canvas, the previous one, and one that a frame may restore.
    init(frames header: PNGHeader) {
        kept = Self.encoder
        scaled = header.decodedBytes.multipliedOrMax(by: 3).addedOrMax(
            (header.width).multipliedOrMax(by: header.height * 8)
        ).addedOrMax(Self.toneMapping(header))
    }

    /// Computes the memory for a PNG. Its colors may be converted to SDR before it is scaled.
    init(_ header: PNGHeader) { scaled = header.decodedBytes.addedOrMax(Self.toneMapping(header)) }

    /// Returns the bytes for tone mapping. An image with high dynamic range and alpha is converted as a whole. Each
    /// pixel takes 4 bytes with the alpha, three samples of 16 bits, and three of 8 bits.
    private static func toneMapping(_ header: PNGHeader) -> Int {
        guard header.hasAlpha, let color = header.color, color.transfer == 16 || color.transfer == 18 else {
            return 0
        }
        return header.width.multipliedOrMax(by: header.height).multipliedOrMax(by: 4 + 6 + 3)
    }

    /// Computes the memory for an AVIF sequence. dav1d holds eight frames for reference, and eight of their alpha.
    init(_ sequence: HEIFSequence) {
        kept = Self.encoder
        scaled = sequence.frameBytes.multipliedOrMax(by: 9).addedOrMax(sequence.colors.pixels.multipliedOrMax(by: 8))
    }

    /// The memory of x264 for 1,280 × 1,280 pixels, in bytes.
    private static let encoder = 64_000_000

    /// Computes the memory for a decoded image.
    ///
    /// - Parameter alpha: The meaning of the decoder's alpha. If it is not coverage, the image is converted to planes.
    init(decodedBytes: Int, pixels: Int = 0, alpha: ImageFacts.AlphaMeaning = .coverage) {
        let planes =
            switch alpha {
            case .coverage: 0
            case .meansNothing: 3
            case .isMultipliedIn: 4
            }
        scaled = decodedBytes.addedOrMax(pixels.multipliedOrMax(by: planes))
    }

    /// Computes the memory for a HEIF file. The image and then its alpha are decoded and merged into four planes.
    init(_ header: HEIFHeader) {
        scaled = Self.bytes(decoding: header.image)
        guard let alpha = header.alpha else {
            if header.image.isCutBetweenSamples { scaled = scaled.addedOrMax(header.image.pixels * 3) }
            return
        }
        let planes = header.image.pixels * 4
        // High dynamic range is converted to three samples of 16 bits and then to three of 8 bits.
        if header.image.mayBeHDR {
            scaled = max(scaled, (header.image.pixels * 6).addedOrMax(header.image.imageBytes), header.image.pixels * 9)
        }
        // An alpha of another size or range is scaled into the plane.
        scaled = max(scaled, planes.addedOrMax(header.image.imageBytes), planes.addedOrMax(Self.bytes(decoding: alpha)))
    }

    /// Returns the bytes for decoding one image. A grid's first tile is held until the last one is copied to the image.
    private static func bytes(decoding image: HEIFImage) -> Int {
        let tilePixels = image.tileWidth.multipliedOrMax(by: image.tileHeight)
        // The factors are tenths of a byte for each pixel. They are tables of motion, blocks and filters.
        let tables =
            switch image.codec {
            case .hevc: tilePixels.multipliedOrMax(by: 15) / 10
            case .av1: tilePixels.multipliedOrMax(by: 6) / 10
            case .jpeg: 0
            }
        guard image.isGrid else { return image.decodedBytes.addedOrMax(tables) }
        let tile = image.decodedBytes / image.tiles.count
        return image.imageBytes.addedOrMax(tables).addedOrMax(2 * tile)
    }
}

extension HEIFImage {
    /// Whether the image may have high dynamic range: the file states PQ or HLG (ITU-T H.273, table 3). An image of
    /// more than 8 bits whose file states no colors may state them in its codec.
    fileprivate var mayBeHDR: Bool { color.map { $0.transfer == 16 || $0.transfer == 18 } ?? (bitDepth > 8) }
}
