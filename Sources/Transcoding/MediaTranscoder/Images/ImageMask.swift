import Base
import CFFmpeg
import TranscodeProtocol

/// The shape that a status bar shows for a badge: white with an alpha. The alpha is that of the image, or the contrast
/// to the border if the image is opaque. Android draws only the alpha, so an opaque image would be a white square.
enum ImageMask {
    /// The smallest difference in brightness that is treated as a shape. Without one, an image becomes fully opaque.
    private static let minContrast: UInt8 = 16

    /// Makes the mask of an image.
    ///
    /// - Returns: A frame in `ya8`.
    static func mask(of image: borrowing ScaledImage) throws(TranscodeFailure) -> Frame {
        let size = image.size
        let shape = image.isOpaque ? standingOut(try brightness(of: image), size) : image.frame.samples(ofPlane: 3)
        let mask = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_YA8)
        let stride = mask.stride(0)
        mask.withMutablePlane(0) { pixels in
            for row in 0..<size.height {
                for column in 0..<size.width {
                    pixels[row * stride + 2 * column] = 255
                    pixels[row * stride + 2 * column + 1] = shape[row * size.width + column]
                }
            }
        }
        return mask
    }

    /// Returns the brightness of each pixel, row by row.
    private static func brightness(of image: borrowing ScaledImage) throws(TranscodeFailure) -> [UInt8] {
        guard image.frame.format == AV_PIX_FMT_GBRP || image.frame.format == AV_PIX_FMT_GBRAP else {
            return image.frame.samples(ofPlane: 0)
        }
        return try ImageEncoding.photo(image).frame.samples(ofPlane: 0)
    }

    /// Returns each pixel's alpha, which grows with the distance from the border's median brightness, up to opaque.
    static func standingOut(_ brightness: [UInt8], _ size: PixelSize) -> [UInt8] {
        let (width, height) = (size.width, size.height)
        let border = brightness.indices.filter { index in
            let (row, column) = (index / width, index % width)
            return row == 0 || column == 0 || row == height - 1 || column == width - 1
        }.map { brightness[$0] }.sorted()
        let ground = border[border.count / 2]
        let distances = brightness.map { $0 > ground ? $0 - ground : ground - $0 }
        guard let most = distances.max(), most >= minContrast else {
            return [UInt8](repeating: 255, count: brightness.count)
        }
        return distances.map { UInt8((Int($0) * 255 + Int(most) / 2) / Int(most)) }
    }
}
