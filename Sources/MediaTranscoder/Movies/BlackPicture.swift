import CFFmpeg

/// Whether a frame shows next to nothing, as the first of many videos do that fade in.
enum BlackPicture {
    /// Luma of 16 is black; the noise of cameras stays below 24.
    private static let darkLuma = 24
    /// Every 16th sample of every 16th row says enough.
    private static let step = 16

    /// `false` for layouts other than eight bits of luma in the first plane.
    static func isNearlyBlack(_ frame: borrowing Frame) -> Bool {
        switch frame.format {
        case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P: break
        default: return false
        }
        let (width, height, stride) = (frame.width, frame.height, frame.stride(0))
        return frame.withPlane(0) { luma in
            var bright = 0
            var count = 0
            for row in Swift.stride(from: 0, to: height, by: step) {
                for column in Swift.stride(from: 0, to: width, by: step) {
                    count += 1
                    if luma[row * stride + column] > darkLuma { bright += 1 }
                }
            }
            return bright * 50 < count
        }
    }
}
