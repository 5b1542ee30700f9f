import CFFmpeg
import NotificationModel
import TranscodeProtocol

/// Makes the preview of a picture from one that is small already.
enum PreviewMaking {
    /// The longest side of what is looked at: far more than the waves of a BlurHash need, and enough pixels to count.
    static let side = 64

    /// - Parameter picture: upright.
    static func preview(of picture: borrowing ScaledImage) throws(TranscodeFailure) -> ImagePreview? {
        let size = picture.size.fitting(longestSide: side)
        guard size != picture.size else { return preview(of: try ColorSamples(picture)) }
        return preview(of: try ColorSamples(picture.reduced(to: size)))
    }

    private static func preview(of samples: ColorSamples) -> ImagePreview? {
        ImagePreview(blurhash: BlurHash.text(of: samples), dominantColor: DominantColor.text(of: samples))
    }
}

extension RenditionReport {
    /// In the two texts that travel.
    var preview: ImagePreview? {
        get { blurhash.flatMap { ImagePreview(blurhash: $0, dominantColor: dominantColor) } }
        set {
            blurhash = newValue?.blurhash
            dominantColor = newValue?.dominantColor
        }
    }
}
