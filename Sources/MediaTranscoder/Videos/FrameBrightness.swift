import CFFmpeg

/// The brightness of a frame. The brightness is used to skip the first frames of videos that fade in.
enum FrameBrightness {
    /// The mean luma below which an image shows almost nothing on a phone. Black has 16, and a night scene has more
    /// than 35.
    static let dark = 32
    /// The distance between sampled rows and columns. Every 16th sample of every 16th row is enough.
    private static let step = 16

    /// Returns the mean luma, 0…255. Samples of more than 8 bits count with their upper 8 bits.
    ///
    /// - Returns: `nil` for layouts without luma in the first plane, and for big-endian samples.
    static func meanLuma(_ frame: borrowing Frame) -> Int? {
        let format = PixelFormat(frame.format)
        let bytes = format.depth > 8 ? 2 : 1
        guard format.isColorDifference, !format.isBigEndian, format.depth >= 8,
            format.planeSize(0, width: frame.width, height: frame.height).rowBytes == frame.width * bytes
        else { return nil }
        let (width, height, stride) = (frame.width, frame.height, frame.stride(0))
        return frame.withPlane(0) { luma in
            var sum = 0
            var count = 0
            for row in Swift.stride(from: 0, to: height, by: step) {
                for column in Swift.stride(from: 0, to: width, by: step) {
                    let place = row * stride + column * bytes
                    sum +=
                        bytes == 1
                        ? Int(luma[place]) : (Int(luma[place]) | Int(luma[place + 1]) << 8) >> (format.depth - 8)
                    count += 1
                }
            }
            return sum / max(1, count)
        }
    }
}
