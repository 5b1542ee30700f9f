import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// A still that shows a part of a picture.
struct ClippedStill {
    let clip: PictureClip
    /// What is made of the part, upright.
    let size: PixelSize

    /// - Parameter picture: the upright size.
    /// - Returns: `nil` where the order wants the whole picture.
    init?(_ order: RenditionOrder, of picture: PixelSize) {
        let wanted =
            switch order.role {
            case .thumbnail: order.clip.flatMap(PictureClip.init)
            case .attachment: order.leastAspect.flatMap { PictureClip(leastAspect: Int($0), of: picture) }
            case .poster: PictureClip?.none
            }
        guard let clip = wanted else { return nil }
        self.clip = clip
        size = clip.size(of: picture).fitting(longestSide: Int(order.pictureSide))
    }

    /// How large the picture is to be decoded, as stored, so that enough is left of it. Of a picture that is only
    /// taken because it need not be decoded whole, no more is wanted than the limits allow.
    func decodedSize(of stored: PixelSize, _ orientation: PictureOrientation, limits: DecodeLimits) -> PixelSize {
        let wanted = clip.stored(orientation).wholeSize(of: stored, for: size.turned(orientation))
        var halvings = 0
        // Three bytes is the most that a pixel takes without its colour differences being halved.
        while halvings < 3, (stored.pixels * 3) >> (2 * halvings) > limits.decodedBytes { halvings += 1 }
        let most = PixelSize(
            (stored.width + (1 << halvings) - 1) >> halvings, (stored.height + (1 << halvings) - 1) >> halvings)
        return PixelSize(min(wanted.width, most.width), min(wanted.height, most.height))
    }

    /// Takes the part out before anything is scaled, so that it is as sharp as the source.
    ///
    /// - Parameter frame: the decoded picture, as stored.
    func picture(
        of frame: borrowing Frame, _ orientation: PictureOrientation
    ) throws(TranscodeFailure) -> ScaledPicture {
        let pixels = clip.stored(orientation).pixels(of: PixelSize(frame.width, frame.height))
        let part = try frame.part(columns: pixels.columns, rows: pixels.rows)
        return try ColorConversion.sRGB(PictureScaling.scale(part, to: size.turned(orientation))).turned(orientation)
    }
}
