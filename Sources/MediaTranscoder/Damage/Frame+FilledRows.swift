import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// Rows whose mean is the colour of the rows that are missing.
    private static let meanRows = 8

    /// Gives the last rows the mean colour of the rows above them.
    ///
    /// - Parameter first: the first row that is filled; a row of the colour differences too.
    func fillRows(from first: Int) {
        for plane in 0..<4 {
            let isChroma = plane == 1 || plane == 2
            let first = isChroma ? first >> pixelFormat.verticalChromaShift : first
            let size = pixelFormat.planeSize(plane, width: width, height: height)
            let columns = isChroma ? -(-width >> pixelFormat.horizontalChromaShift) : width
            guard first > 0, first < size.rows, size.rowBytes >= columns else { continue }
            let samples = SampleLayout(
                pixelBytes: size.rowBytes / columns, isWide: pixelFormat.depth > 8, isBigEndian: pixelFormat.isBigEndian
            )
            let stride = stride(plane)
            withMutablePlane(plane) { bytes in
                var sums = [Int](repeating: 0, count: samples.count)
                let rows = max(0, first - Self.meanRows)..<first
                for row in rows {
                    for column in 0..<columns {
                        let pixel = row * stride + column * samples.pixelBytes
                        for sample in sums.indices { sums[sample] += samples.value(sample, bytes, at: pixel) }
                    }
                }
                let count = rows.count * columns
                let pixel = samples.bytes(of: sums.map { ($0 + count / 2) / count })
                for row in first..<size.rows {
                    for offset in 0..<columns * pixel.count {
                        bytes[row * stride + offset] = pixel[offset % pixel.count]
                    }
                }
            }
        }
    }

    /// Gives every other row, from an odd one on, the pixels of the row above it: what an interlaced picture shows before
    /// its last pass.
    func repeatRows(from first: Int) {
        let (stride, rowBytes) = (stride(0), pixelFormat.planeSize(0, width: width, height: height).rowBytes)
        guard first > 0 else { return }
        withMutablePlane(0) { bytes in
            for row in Swift.stride(from: first, to: height, by: 2) {
                for offset in row * stride..<row * stride + rowBytes { bytes[offset] = bytes[offset - stride] }
            }
        }
    }

    /// The same picture in bytes of colours or grey: a mean has no place in a palette, or in single bits.
    func withPlainPixels() throws(TranscodeFailure) -> Frame {
        let format = pixelFormat.isBitstream ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGBA
        let plain = try Frame.allocate(width: width, height: height, format: format)
        try Scaler.make(from: shape, to: plain.shape, quality: .still).scale(self, into: plain)
        try plain.copyColorProfile(from: self)
        return plain
    }
}

/// How the samples of a pixel stand in a plane.
private struct SampleLayout {
    let pixelBytes: Int
    /// Two bytes for each sample.
    let isWide: Bool
    let isBigEndian: Bool

    var count: Int { isWide ? pixelBytes / 2 : pixelBytes }

    func value(_ sample: Int, _ bytes: borrowing MutableSpan<UInt8>, at pixel: Int) -> Int {
        guard isWide else { return Int(bytes[pixel + sample]) }
        let (first, second) = (Int(bytes[pixel + 2 * sample]), Int(bytes[pixel + 2 * sample + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    func bytes(of values: [Int]) -> [UInt8] {
        guard isWide else { return values.map { UInt8($0) } }
        return values.flatMap { value in
            let (high, low) = (UInt8(value >> 8), UInt8(value & 255))
            return isBigEndian ? [high, low] : [low, high]
        }
    }
}
