import CFFmpeg
import MediaTypes
import NotificationModel
import TranscodeProtocol

/// The generator of an image's preview, which analyzes a scaled image.
enum PreviewMaking {
    /// The longest side of the analyzed image, in pixels. It suffices for a BlurHash and for the count of colors.
    static let side = 64

    /// Makes a preview of a small or a large image.
    ///
    /// - Parameter image: The upright image.
    static func preview(of image: borrowing ScaledImage) throws(TranscodeFailure) -> ImagePreview? {
        let size = image.size.fitting(longestSide: side)
        guard size != image.size else { return preview(of: try ColorSamples(image)) }
        return preview(of: try ColorSamples(image.reduced(to: size)))
    }

    private static func preview(of samples: ColorSamples) -> ImagePreview? {
        ImagePreview(blurhash: BlurHash.text(of: samples), dominantColor: DominantColor.text(of: samples))
    }
}

extension RenditionReport {
    /// The preview, which a reply carries as two texts.
    var preview: ImagePreview? {
        get { blurhash.flatMap { ImagePreview(blurhash: $0, dominantColor: dominantColor) } }
        set {
            blurhash = newValue?.blurhash
            dominantColor = newValue?.dominantColor
        }
    }
}
