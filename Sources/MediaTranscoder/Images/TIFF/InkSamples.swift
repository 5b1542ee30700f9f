import MediaHeaders

/// Draws the inks of a strip or tile of a TIFF, with their alpha if they have one.
struct InkSamples {
    private let samples: TIFFSamples
    /// Pixels of a row.
    private let width: Int

    init(_ samples: TIFFSamples, width: Int) {
        self.samples = samples
        self.width = width
    }

    /// - Parameters:
    ///   - part: the samples as grey of 8 or 16 bits, 0 for no ink. Planes are one below the other.
    ///   - canvas: `rgb24`, or `rgba` if the inks have an alpha.
    func draw(
        _ part: borrowing Frame, by inks: borrowing CMYKConversion, into canvas: borrowing Frame,
        _ place: (columns: Range<Int>, rows: Range<Int>)
    ) {
        let hasAlpha = canvas.pixelFormat.hasAlpha
        let pixelBytes = hasAlpha ? 4 : 3
        let planeRows = part.height / samples.count
        var line = [UInt8](repeating: 255, count: 4 * place.columns.count)
        var light = [UInt8](repeating: 0, count: 3 * place.columns.count)
        for row in 0..<place.rows.count {
            let values = part.withPlane(0) { self.values($0, row: row, planeRows, stride: part.stride(0)) }
            for pixel in 0..<place.columns.count {
                let alpha = hasAlpha ? values[pixel * samples.count + 4] : 255
                for ink in 0..<4 {
                    line[pixel * 4 + ink] = 255 - full(values[pixel * samples.count + ink], alpha)
                }
            }
            var target = light.mutableSpan
            inks.convert(line.span, into: &target, at: 0)
            let start = (place.rows.lowerBound + row) * canvas.stride(0) + pixelBytes * place.columns.lowerBound
            canvas.withMutablePlane(0) { bytes in
                for pixel in 0..<place.columns.count {
                    for color in 0..<3 { bytes[start + pixel * pixelBytes + color] = light[pixel * 3 + color] }
                    if hasAlpha { bytes[start + pixel * pixelBytes + 3] = values[pixel * samples.count + 4] }
                }
            }
        }
    }

    /// The ink of a pixel without the alpha that it is multiplied by.
    private func full(_ ink: UInt8, _ alpha: UInt8) -> UInt8 {
        guard samples.alpha == .associated, alpha > 0 else { return ink }
        return UInt8(min(255, (Int(ink) * 255 + Int(alpha) / 2) / Int(alpha)))
    }

    /// The samples of a row, pixel by pixel, in 8 bits.
    ///
    /// - Parameter planeRows: rows of a plane, if the samples are in planes.
    private func values(_ bytes: Span<UInt8>, row: Int, _ planeRows: Int, stride: Int) -> [UInt8] {
        var values = [UInt8](repeating: 0, count: width * samples.count)
        for sample in 0..<samples.count {
            let start = (samples.isPlanar ? sample * planeRows + row : row) * stride
            let (first, step) = samples.isPlanar ? (0, 1) : (sample, samples.count)
            var before: UInt16 = 0
            for pixel in 0..<width {
                let place = first + pixel * step
                var value = samples.bitDepth == 16 ? deep(bytes, start + 2 * place) : UInt16(bytes[start + place])
                if samples.hasPredictor {
                    value &+= before
                    before = value
                }
                values[pixel * samples.count + sample] =
                    samples.bitDepth == 16
                    ? UInt8((UInt32(value) * 255 + 32_767) / 65_535) : UInt8(truncatingIfNeeded: value)
            }
        }
        return values
    }

    private func deep(_ bytes: Span<UInt8>, _ offset: Int) -> UInt16 {
        let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
        return samples.isLittleEndian ? second << 8 | first : first << 8 | second
    }
}
