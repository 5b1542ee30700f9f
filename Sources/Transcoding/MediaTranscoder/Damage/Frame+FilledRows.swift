import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// The number of rows whose mean is the color of the missing rows.
    private static let meanRows = 8

    /// Fills the last rows with the mean color of the rows above them.
    ///
    /// - Parameter first: The first row to fill. Chroma planes are filled from the corresponding row.
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

    /// Copies to every other row the pixels of the row above. An interlaced image looks like this before its last pass.
    ///
    /// - Parameter first: The first row that is replaced. The row's number is odd.
    func repeatRows(from first: Int) {
        guard first > 0 else { return }
        let (stride, rowBytes) = (stride(0), pixelFormat.planeSize(0, width: width, height: height).rowBytes)
        withMutablePlane(0) { bytes in
            for row in Swift.stride(from: first, to: height, by: 2) {
                for offset in row * stride..<row * stride + rowBytes { bytes[offset] = bytes[offset - stride] }
            }
        }
    }

    /// Returns the same image in RGBA or gray. A mean color cannot be stored in palette indices or single bits.
    func withPlainPixels() throws(TranscodeFailure) -> Frame {
        let plain = try converted(to: pixelFormat.isBitstream ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGBA)
        try plain.copyColorProfile(from: self)
        return plain
    }
}

/// The layout of a pixel's samples in a plane.
private struct SampleLayout {
    let pixelBytes: Int
    /// Whether each sample has two bytes.
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
