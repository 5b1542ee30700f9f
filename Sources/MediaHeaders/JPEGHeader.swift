/// What the markers of a JPEG say (ITU-T T.81, annex B), read without decoding.
package struct JPEGHeader: Sendable, Equatable {
    /// How the coefficients are coded, by the start-of-frame marker.
    package enum Process: Sendable, Equatable {
        case baseline
        case extended
        case progressive
        /// Arithmetic instead of Huffman codes, sequential or progressive: browsers and phones show none.
        case arithmetic
        case arithmeticProgressive
        /// Lossless or hierarchical: hardly anything shows them.
        case other

        /// Whether each scan only makes the whole picture better.
        package var isProgressive: Bool { self == .progressive || self == .arithmeticProgressive }
    }

    package struct Component: Sendable, Equatable {
        package var identifier: UInt8
        package var horizontalSampling: Int
        package var verticalSampling: Int
        /// The number of the table that its coefficients are quantised by, 0…3 where it follows the standard.
        package var quantizationTable: Int
    }

    /// Stored pixels, 1…65,535, before orientation.
    package var width: Int
    package var height: Int
    package var process: Process
    /// Bits of a sample: 8, or 12 for the extended kinds.
    package var bitDepth: Int
    /// 1 for grey, 3 for colour, 4 for CMYK; at most 4.
    package var components: [Component]
    /// The scans, in their order.
    package var scans: [JPEGScan]
    /// Start-of-scan markers in the whole file.
    package var scanCount: Int { scans.count }
    /// Whether an end-of-image marker closes it: a cut file has none.
    package var isComplete: Bool
    package var orientation: ImageOrientation
    /// The file without EXIF, XMP, IPTC, comments and anything behind its end; with JFIF, Adobe and ICC.
    package var kept: RetainedRanges
    /// Whether `kept` leaves something out.
    package var hasMetadata: Bool
    /// The parts of the ICC profile, in their order; empty where there is none or a part of it is missing.
    package var colorProfile: [Range<Int>]
    /// The largest step that the means of blocks are quantised by, of all tables: an eighth of it is in levels.
    package var coarsestMean: Int
    /// What a decoder reads, in its order: tables, restart intervals, the frame, and the head of each scan.
    package var segments: [JPEGSegment]
    /// How Adobe says that three or four components are coded: 0 as they are, 1 as YCbCr, 2 as YCCK; `nil` also where that
    /// means nothing for so many.
    package var adobeTransform: UInt8?

    /// Walks the whole file.
    ///
    /// - Throws: `wrongFormat`, `truncated` before the first scan, `malformed`, `excessive`. A file that ends inside a
    ///   scan is no error: `isComplete` says so.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        self = try JPEGWalk.header(of: bytes)
    }

    init(
        width: Int, height: Int, process: Process, bitDepth: Int, components: [Component], scans: [JPEGScan],
        isComplete: Bool, orientation: ImageOrientation, kept: RetainedRanges, hasMetadata: Bool,
        colorProfile: [Range<Int>], coarsestMean: Int, segments: [JPEGSegment], adobeTransform: UInt8?
    ) {
        self.width = width
        self.height = height
        self.process = process
        self.bitDepth = bitDepth
        self.components = components
        self.scans = scans
        self.isComplete = isComplete
        self.orientation = orientation
        self.kept = kept
        self.hasMetadata = hasMetadata
        self.colorProfile = colorProfile
        self.coarsestMean = coarsestMean
        self.segments = segments
        self.adobeTransform = adobeTransform
    }

    package var pixels: Int {
        width * height
    }

    /// Whether the sampling is grey, 4:4:4, 4:2:2, 4:4:0 or 4:2:0: what decoders halve safely while they decode.
    package var hasPlainSampling: Bool {
        guard let luma = components.first, (1...2).contains(luma.horizontalSampling),
            (1...2).contains(luma.verticalSampling)
        else { return false }
        if components.count == 1 { return true }
        return components.count == 3
            && components.dropFirst().allSatisfy { $0.horizontalSampling == 1 && $0.verticalSampling == 1 }
    }

    /// Bytes of all planes when decoded at full size.
    package var decodedBytes: Int {
        let widest = max(1, components.map(\.horizontalSampling).max() ?? 1)
        let highest = max(1, components.map(\.verticalSampling).max() ?? 1)
        return components.reduce(0) { sum, component in
            sum + pixels * component.horizontalSampling * component.verticalSampling / (widest * highest)
        }
    }

    /// Bytes of the coefficients that a decoder keeps until it has read all scans, 16 bits each; 0 where one scan has all
    /// of the picture, so that it is decoded row by row.
    package var coefficientBytes: Int {
        guard process.isProgressive || (scans.first?.components.count ?? 0) < components.count else { return 0 }
        return decodedBytes * 2
    }
}
