package import MediaHeaders

/// A progressive JPEG at an eighth or a quarter of its sides, made of the few coefficients that show at that size.
///
/// Decoders keep room for all coefficients of the picture, 36 MB for 12 megapixels of 4:2:0, to transform one or four of
/// each block's 64. This keeps those, reads only the scans that bring them, and makes the same samples as a decoder that
/// halves with a transform of one or two samples a side (FFmpeg's `lowres`).
///
/// What goes in is a header that was judged, and the file; what comes out are planes. It reads what encoders write: for
/// anything out of the ordinary (refined AC coefficients, several sets of quantisation tables, scans in another
/// order, damage) there is no picture, and another decoder says what is wrong. Pure, and bounded by the header: each
/// block is visited once for each scan that is read.
package struct ReducedSizeDecoder: Sendable {
    /// Samples of one component, row by row.
    package struct Plane: Sendable {
        package let width: Int
        package let height: Int
        /// 0…255.
        package let samples: [UInt8]
    }

    /// Luma, and the two colour differences where the picture is not grey.
    package let planes: [Plane]

    /// - Parameters:
    ///   - header: of these bytes.
    ///   - halvings: of the sides, rounding up: 2 or 3.
    /// - Returns: `nil` where this is not for here.
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
            // Of halved colour differences half of what luma has, rounded up.
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
    /// Grey, or luma and colour differences: not what Adobe says to be red, green and blue, nor what is named so.
    fileprivate var isColorDifference: Bool {
        components.count == 1
            || components.count == 3 && adobeTransform ?? 1 == 1
                && components.map(\.identifier) != Array("RGB".utf8)
    }
}
