import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// A still that shows a part of a picture.
struct ClippedStill {
    let clip: ImageClip
    /// What is made of the part, upright.
    let size: PixelSize

    /// - Parameter picture: the upright size.
    /// - Returns: `nil` where the order wants the whole picture.
    init?(_ order: RenditionSpec, of picture: PixelSize) {
        let wanted =
            switch order.role {
            case .thumbnail: order.clip.flatMap(ImageClip.init)
            case .attachment: order.leastAspect.flatMap { ImageClip(leastAspect: Int($0), of: picture) }
            case .poster: ImageClip?.none
            }
        guard let clip = wanted else { return nil }
        self.clip = clip
        size = clip.size(of: picture).fitting(longestSide: Int(order.pictureSide))
    }

    /// How large the picture is to be decoded, as stored, so that enough is left of it.
    func decodedSize(of stored: PixelSize, _ orientation: ImageOrientation) -> PixelSize {
        clip.stored(orientation).wholeSize(of: stored, for: size.turned(orientation))
    }

    /// Takes the part out before anything is scaled, so that it is as sharp as the source.
    ///
    /// - Parameter frame: the decoded picture, as stored.
    func picture(
        of frame: borrowing Frame, _ orientation: ImageOrientation
    ) throws(TranscodeFailure) -> ScaledImage {
        let pixels = clip.stored(orientation).pixels(of: PixelSize(frame.width, frame.height))
        let part = try frame.part(columns: pixels.columns, rows: pixels.rows)
        return try ColorConversion.sRGB(ImageScaling.scale(part, to: size.turned(orientation))).turned(orientation)
    }
}
