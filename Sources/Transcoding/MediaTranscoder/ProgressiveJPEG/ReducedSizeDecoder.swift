package import MediaHeaders

/// A decoder of a progressive JPEG at an eighth or a quarter of its sides, from the coefficients that are visible then.
///
/// The input is a checked header and the bytes of the file. The output is a plane of samples for each component.
///
/// Other decoders store all coefficients of the image, which takes 36 MB for 12 megapixels of 4:2:0. At these sizes,
/// they use only one or four of each block's 64. This type stores only these coefficients, and reads only the scans
/// that have them. Its samples are those of an inverse DCT of one or two samples per side (FFmpeg's `lowres`).
///
/// The decoder reads the files of common encoders. It refuses refined AC coefficients, several sets of quantization
/// tables, scans in another order, and damage. Another decoder then decodes the image or reports the error.
///
/// The work is bounded by the header: each block is visited once for each scan that is read. It runs on the caller's
/// thread, in the worker. No component cancels it; the daemon kills the worker.
package struct ReducedSizeDecoder: Sendable {
    /// The samples of one component, row by row.
    package struct Plane: Sendable {
        package let width: Int
        package let height: Int
        /// The samples, 0…255.
        package let samples: [UInt8]
    }

    /// The luma plane, followed by two chroma planes unless the image is gray.
    package let planes: [Plane]

    /// Decodes an image at reduced size.
    ///
    /// - Parameter header: The header of these bytes.
    /// - Parameter halvings: The number of times that the sides are halved and rounded up, 2 or 3.
    /// - Returns: `nil` if this decoder cannot decode the image.
    package init?(_ header: JPEGHeader, of bytes: Span<UInt8>, halvings: Int) {
        guard header.process == .progressive, header.bitDepth == 8, header.hasPlainSampling,
            header.isColorDifference, (2...3).contains(halvings),
            let end = header.endOfScans(forHalvings: halvings), end <= bytes.count
        else { return nil }
        let side = halvings == 3 ? 1 : 2
        var reading = ScanReading(header, side: side)
        var scans = header.scans[...]
        for segment in header.segments where segment.body.upperBound <= end {
            let body = bytes.extracting(segment.body)
            switch segment.marker {
            case 0xC4: guard reading.noteHuffmanTables(body) else { return nil }
            case 0xDB: guard reading.noteQuantization(body) else { return nil }
            case 0xDD: guard reading.noteRestartInterval(body) else { return nil }
            case 0xC2: guard body.count == 6 + 3 * header.components.count else { return nil }
            case 0xDA:
                guard let scan = scans.popFirst(), let head = ScanHeader(body, of: scan), scan.end <= bytes.count,
                    reading.read(head, from: bytes, at: segment.body.upperBound..<scan.end)
                else { return nil }
            default: return nil
            }
        }
        var planes: [Plane] = []
        for (component, blocks) in zip(header.components, reading.planes) {
            guard let steps = reading.steps(of: component) else { return nil }
            let (first, across) = (header.components[0], 8 / side)
            // A subsampled chroma plane has half of the luma plane's samples, rounded up.
            let width = Self.halved(
                (header.width + across - 1) / across, first.horizontalSampling > component.horizontalSampling)
            let height = Self.halved(
                (header.height + across - 1) / across, first.verticalSampling > component.verticalSampling)
            guard width <= blocks.width * side, height <= blocks.height * side,
                let samples = blocks.samples(reading.coefficients, steps: steps, width: width, height: height)
            else { return nil }
            planes.append(Plane(width: width, height: height, samples: samples))
        }
        self.planes = planes
    }

    private static func halved(_ count: Int, _ isHalved: Bool) -> Int { isHalved ? (count + 1) / 2 : count }
}

extension JPEGHeader {
    /// Whether the image is gray, or has luma and chroma. Adobe's segment or the component names may show RGB.
    fileprivate var isColorDifference: Bool {
        components.count == 1
            || components.count == 3 && adobeTransform ?? 1 == 1
                && components.map(\.identifier) != Array("RGB".utf8)
    }
}
