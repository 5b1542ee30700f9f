import CFFmpeg

/// How bright a frame is, to pass over the first pictures of videos that fade in.
enum FrameBrightness {
    /// Below this mean luma a picture shows next to nothing on a phone: black is 16, a night scene stays above 35.
    static let dark = 32
    /// Every 16th sample of every 16th row says enough.
    private static let step = 16

    /// The mean luma, 0…255, or `nil` for layouts other than eight bits of luma in the first plane.
    static func meanLuma(_ frame: borrowing Frame) -> Int? {
        switch frame.format {
        case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P: break
        default: return nil
        }
        let (width, height, stride) = (frame.width, frame.height, frame.stride(0))
        return frame.withPlane(0) { luma in
            var sum = 0
            var count = 0
            for row in Swift.stride(from: 0, to: height, by: step) {
                for column in Swift.stride(from: 0, to: width, by: step) {
                    sum += Int(luma[row * stride + column])
                    count += 1
                }
            }
            return sum / max(1, count)
        }
    }
}
