import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// Spreads the samples of a gray or RGB image of limited range over the full range. Limited range is 16…235 for 8
    /// bits, and scales with the depth for 10 and 12 bits (ITU-R BT.2100-2, table 9).
    ///
    /// swscale assumes full range for every gray or RGB image. swscale itself converts the range of images with chroma.
    func spreadLimitedRange() throws(TranscodeFailure) {
        let format = pixelFormat
        guard unsafe pointer.pointee.color_range == AVCOL_RANGE_MPEG, format.isGray || format.isPlanarRGB else {
            return
        }
        // The decoder may need its own copy for the next image.
        try FFmpegStatus.check(unsafe av_frame_make_writable(pointer), "copying a frame")
        let table = Self.fullRange(ofBits: format.depth)
        for plane in 0..<(format.isGray ? 1 : 3) {
            withMutablePlane(plane) { bytes in
                if format.depth == 8 {
                    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: table[Int(bytes[index])]) }
                } else {
                    for index in Swift.stride(from: 0, to: bytes.count - 1, by: 2) {
                        let sample = Int(bytes[index]) | Int(bytes[index + 1]) << 8
                        let spread = table[min(sample, table.count - 1)]
                        bytes[index] = UInt8(truncatingIfNeeded: spread)
                        bytes[index + 1] = UInt8(truncatingIfNeeded: spread >> 8)
                    }
                }
            }
        }
        unsafe pointer.pointee.color_range = AVCOL_RANGE_JPEG
    }

    /// Returns the full-range value for each limited-range sample.
    private static func fullRange(ofBits depth: Int) -> [UInt16] {
        let (most, unit) = (Double((1 << depth) - 1), Double(1 << (depth - 8)))
        return (0..<(1 << depth)).map { sample in
            UInt16(min(most, max(0, (Double(sample) - 16 * unit) * most / (219 * unit)).rounded()))
        }
    }
}
