import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// Copies another image of the same format into this one, as far as it fits. The corner has to be at a whole sample
    /// of every plane.
    ///
    /// - Throws: `corrupt` if the format differs or the corner is not valid.
    func paste(_ source: borrowing Frame, x: Int, y: Int) throws(TranscodeFailure) {
        let format = pixelFormat
        guard source.format == self.format, x >= 0, y >= 0, x < width, y < height,
            x % (1 << format.horizontalChromaShift) == 0, y % (1 << format.verticalChromaShift) == 0
        else { throw TranscodeFailure(.corrupt, "the tiles cannot be joined") }
        let (shownWidth, shownHeight) = (min(source.width, width - x), min(source.height, height - y))
        for plane in 0..<4 {
            let size = format.planeSize(plane, width: shownWidth, height: shownHeight)
            guard size.rows > 0, size.rowBytes > 0 else { continue }
            let left = format.planeSize(plane, width: x, height: 1).rowBytes
            let top = format.planeSize(plane, width: 1, height: y).rows
            let (stride, sourceStride) = (stride(plane), source.stride(plane))
            source.withPlane(plane) { bytes in
                withMutablePlane(plane) { target in
                    for row in 0..<size.rows {
                        let start = (top + row) * stride + left
                        for column in 0..<size.rowBytes {
                            target[start + column] = bytes[row * sourceStride + column]
                        }
                    }
                }
            }
        }
    }

    /// Returns the same image with as many chroma samples as luma samples.
    func withFullColorDifferences() throws(TranscodeFailure) -> Frame {
        let full = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_YUV444P)
        try full.copyProperties(from: self)
        var target = shape
        target.format = AV_PIX_FMT_YUV444P
        try Scaler.make(from: shape, to: target, quality: .spread).scale(self, into: full)
        return full
    }

    /// Copies the colors, range, profile and times of another image, but not its pixels.
    func copyProperties(from source: borrowing Frame) throws(TranscodeFailure) {
        try FFmpegStatus.check(unsafe av_frame_copy_props(pointer, source.pointer), "copying the properties of a frame")
    }
}
