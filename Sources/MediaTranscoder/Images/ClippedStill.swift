import CFFmpeg
import MediaHeaders
import MediaTypes
import TranscodeProtocol

/// A still image that shows a part of another image.
struct ClippedStill {
    let clip: ImageClip
    /// The upright size of the result, in pixels.
    let size: PixelSize

    /// Creates the still image that a rendition spec requests.
    ///
    /// - Parameter image: The upright size of the whole image.
    /// - Returns: `nil` if the spec requests the whole image.
    init?(_ order: RenditionSpec, of image: PixelSize) {
        let wanted =
            switch order.role {
            case .thumbnail: order.clip.flatMap(ImageClip.init)
            case .attachment: order.leastAspect.flatMap { ImageClip(leastAspect: Int($0), of: image) }
            case .poster: ImageClip?.none
            }
        guard let clip = wanted else { return nil }
        self.clip = clip
        size = clip.size(of: image).fitting(longestSide: Int(order.imageSide))
    }

    /// Returns the stored size at which the image has to be decoded so that the part is large enough.
    func decodedSize(of stored: PixelSize, _ orientation: ImageOrientation) -> PixelSize {
        clip.stored(orientation).wholeSize(of: stored, for: size.turned(orientation))
    }

    /// Returns the part, scaled and upright. The part is cut out before the scaling, so that the result is as sharp as
    /// the source.
    ///
    /// - Parameter frame: The decoded image, as stored.
    func image(
        of frame: borrowing Frame, _ orientation: ImageOrientation
    ) throws(TranscodeFailure) -> ScaledImage {
        let pixels = clip.stored(orientation).pixels(of: PixelSize(frame.width, frame.height))
        let part = try frame.part(columns: pixels.columns, rows: pixels.rows)
        return try ColorConversion.sRGB(ImageScaling.scale(part, to: size.turned(orientation))).turned(orientation)
    }
}
