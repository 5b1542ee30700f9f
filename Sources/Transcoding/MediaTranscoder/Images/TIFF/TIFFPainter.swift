import CFFmpeg

/// A painter that writes rows of a TIFF's decoded samples to an image.
struct TIFFPainter: ~Copyable {
    private let layout: TIFFLayout
    private let inks: CMYKConversion
    private let lab: ColorTransform?
    /// The number of samples in a pixel that are shown.
    private let shown: Int

    init(_ layout: TIFFLayout, inkProfile: [UInt8]) {
        self.layout = layout
        inks = CMYKConversion(transform: ColorTransform.make(from: inkProfile.span, kind: .inks))
        lab = layout.colors.isLab ? ColorTransform.lab() : nil
        shown = layout.colors.samples + (layout.hasAlpha ? 1 : 0)
    }

    /// Writes one row of pixels.
    ///
    /// - Parameter samples: A part of the image, as libtiff decodes it. Its planes follow each other.
    /// - Parameter start: The offset of the row in the first plane.
    /// - Parameter frame: The target, in the layout's pixel format.
    func draw(_ samples: Span<UInt8>, from start: Int, into frame: borrowing Frame, _ columns: Range<Int>, row: Int) {
        let stride = frame.stride(0)
        frame.withMutablePlane(0) { bytes in
            let target = row * stride
            if layout.isBits {
                for byte in 0..<(columns.count + 7) / 8 {
                    bytes[target + columns.lowerBound / 8 + byte] = samples[start + byte]
                }
            } else if layout.colors == .inks {
                drawInks(samples, from: start, into: &bytes, at: target + shownInks * columns.lowerBound, columns.count)
            } else if layout.colors.isLab {
                drawLab(samples, from: start, into: &bytes, at: target + 3 * columns.lowerBound, columns.count)
            } else {
                drawSamples(samples, from: start, into: &bytes, at: target, columns)
            }
        }
    }

    /// The number of bytes in a converted CMYK pixel: red, green and blue, and alpha if there is one.
    private var shownInks: Int { shown - 1 }

    private func drawSamples(
        _ samples: Span<UInt8>, from start: Int, into target: inout MutableSpan<UInt8>, at row: Int,
        _ columns: Range<Int>
    ) {
        let isDeep = layout.depth > 8
        let isStoredSo = layout.depth == 8 || layout.depth == 16
        let top = layout.colors == .palette ? 1 << layout.depth - 1 : isDeep ? 65_535 : 255
        var place = row + columns.lowerBound * shown * (isDeep ? 2 : 1)
        if isStoredSo, layout.colors != .invertedGray, shown == layout.count, !layout.isPlanar {
            let count = columns.count * shown * (isDeep ? 2 : 1)
            for offset in 0..<count { target[place + offset] = samples[start + offset] }
            return
        }
        for pixel in 0..<columns.count {
            for sample in 0..<shown {
                var value = self.value(of: pixel, sample, in: samples, from: start, top: top)
                if layout.colors == .invertedGray, sample == 0 { value = top - value }
                target[place] = UInt8(truncatingIfNeeded: value)
                if isDeep { target[place + 1] = UInt8(truncatingIfNeeded: value >> 8) }
                place += isDeep ? 2 : 1
            }
        }
    }

    private func drawInks(
        _ samples: Span<UInt8>, from start: Int, into target: inout MutableSpan<UInt8>, at place: Int, _ count: Int
    ) {
        var line = [UInt8](repeating: 255, count: 4 * count)
        var light = [UInt8](repeating: 0, count: 3 * count)
        for pixel in 0..<count {
            let alpha = layout.hasAlpha ? value(of: pixel, 4, in: samples, from: start, top: 255) : 255
            if layout.hasAlpha { target[place + 4 * pixel + 3] = UInt8(alpha) }
            for ink in 0..<4 {
                var value = self.value(of: pixel, ink, in: samples, from: start, top: 255)
                // A premultiplied channel is divided by its alpha.
                if layout.alpha == .isMultipliedIn, alpha > 0 { value = min(255, (value * 255 + alpha / 2) / alpha) }
                line[4 * pixel + ink] = 255 - UInt8(value)
            }
        }
        var converted = light.mutableSpan
        inks.convert(line.span, into: &converted, at: 0)
        for pixel in 0..<count {
            for color in 0..<3 { target[place + shownInks * pixel + color] = light[3 * pixel + color] }
        }
    }

    private func drawLab(
        _ samples: Span<UInt8>, from start: Int, into target: inout MutableSpan<UInt8>, at place: Int, _ count: Int
    ) {
        let zero = layout.colors == .signedLab ? 128 : 0
        var line = [UInt8](repeating: 0, count: 3 * count)
        for pixel in 0..<count {
            line[3 * pixel] = UInt8(value(of: pixel, 0, in: samples, from: start, top: 255))
            for sample in 1...2 {
                let value = value(of: pixel, sample, in: samples, from: start, top: 65_535) >> 8
                line[3 * pixel + sample] = UInt8(value ^ zero)
            }
        }
        switch lab {
        case .some(let lab): lab.convert(line.span, into: &target, at: place, pixels: count)
        case .none: break
        }
    }

    /// Returns a sample of a pixel, scaled to 0…`top`.
    private func value(of pixel: Int, _ sample: Int, in bytes: Span<UInt8>, from start: Int, top: Int) -> Int {
        let depth = layout.depth
        let row = layout.isPlanar ? sample * layout.planeBytes + start : start
        let index = layout.isPlanar ? pixel : pixel * layout.count + sample
        var value = 0
        if depth == 16 {
            value = Int(bytes[row + 2 * index]) | Int(bytes[row + 2 * index + 1]) << 8
        } else {
            // The first bit of a row is the highest bit of its byte.
            let last = (index + 1) * depth - 1
            for byte in index * depth / 8...last / 8 { value = value << 8 | Int(bytes[row + byte]) }
            value = value >> (7 - last % 8) & (1 << depth - 1)
        }
        let most = 1 << depth - 1
        return most == top ? value : (value * top + most / 2) / most
    }
}
