/// The facts that the markers of a JPEG state (ITU-T T.81, annex B). No sample is decoded for them.
package struct JPEGHeader: Sendable, Equatable {
    /// The coding process, which the start-of-frame marker states.
    package enum Process: Sendable, Equatable {
        case baseline
        case extended
        case progressive
        /// The sequential process with arithmetic codes instead of Huffman codes. Browsers and phones cannot show it.
        case arithmetic
        case arithmeticProgressive
        /// A lossless or hierarchical process. Almost no program can show such an image.
        case other

        /// Whether each scan refines the whole image.
        package var isProgressive: Bool { self == .progressive || self == .arithmeticProgressive }
    }

    package struct Component: Sendable, Equatable {
        package var identifier: UInt8
        package var horizontalSampling: Int
        package var verticalSampling: Int
        /// The number of the quantization table; 0…3 in a valid file.
        package var quantizationTable: Int
    }

    /// The width of the stored image in pixels, 1…65,535, before orientation.
    package var width: Int
    package var height: Int
    package var process: Process
    /// The bits of a sample: 8, or 12 for the extended processes.
    package var bitDepth: Int
    /// The components of the image: one for gray, three for color, four for CMYK.
    package var components: [Component]
    /// The scans in the order of the file.
    package var scans: [JPEGScan]
    /// The number of start-of-scan markers in the whole file.
    package var scanCount: Int { scans.count }
    /// Whether the file has an end-of-image marker. A truncated file has none.
    package var isComplete: Bool
    package var orientation: ImageOrientation
    /// The parts of the file without its metadata.
    ///
    /// EXIF, XMP, IPTC, comments, and all bytes after the image are removed. JFIF, Adobe and ICC segments stay.
    package var kept: RetainedRanges
    /// Whether `kept` leaves out any part of the file.
    package var hasMetadata: Bool
    /// The parts of the ICC profile in their order. Empty if there is no profile, or if a part is missing.
    package var colorProfile: [Range<Int>]
    /// The largest quantization step of the block means, in all tables. An eighth of it is the step in sample levels.
    package var coarsestMean: Int
    /// The segments that a decoder needs, in the file's order: tables, restart intervals, frame, and scan headers.
    package var segments: [JPEGSegment]
    /// The color transform in Adobe's segment: 0 for none, 1 for YCbCr, 2 for YCCK. `nil` if there is no such segment,
    /// or if three components have a transform that does not apply to them.
    package var adobeTransform: UInt8?

    package var pixels: Int { width * height }

    /// Whether the image is gray or has a sampling of 4:4:4, 4:2:2, 4:4:0 or 4:2:0, whose sides decoders can halve.
    package var hasPlainSampling: Bool {
        guard let luma = components.first, (1...2).contains(luma.horizontalSampling),
            (1...2).contains(luma.verticalSampling)
        else { return false }
        if components.count == 1 { return true }
        return components.count == 3
            && components.dropFirst().allSatisfy { $0.horizontalSampling == 1 && $0.verticalSampling == 1 }
    }

    /// The number of bytes of all planes, decoded at full size.
    package var decodedBytes: Int {
        let widest = max(1, components.map(\.horizontalSampling).max() ?? 1)
        let highest = max(1, components.map(\.verticalSampling).max() ?? 1)
        return components.reduce(0) { sum, component in
            sum + pixels * component.horizontalSampling * component.verticalSampling / (widest * highest)
        }
    }

    /// The number of bytes of the coefficients that a decoder stores until it has read all scans, 16 bits each. 0 if
    /// one scan has the whole image, because the decoder then works row by row.
    package var coefficientBytes: Int {
        guard process.isProgressive || (scans.first?.components.count ?? 0) < components.count else { return 0 }
        return decodedBytes * 2
    }
}

extension JPEGHeader {
    /// Walks the whole file.
    ///
    /// - Throws: `wrongFormat`, `truncated` before the first scan, `malformed`, or `excessive`. A file that ends inside
    ///   a scan is no error, but `isComplete` is false.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) { self = try JPEGWalk.header(of: bytes) }
}
