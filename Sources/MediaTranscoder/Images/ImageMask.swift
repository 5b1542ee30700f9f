import CFFmpeg
import TranscodeProtocol

/// Makes of a picture what a status bar shows of a badge: a white shape, as opaque as the picture is, or as it stands out
/// from its border where it has no alpha. (Android draws nothing but the alpha: an opaque picture is a white square.)
enum ImageMask {
    /// Brightness by which something has to stand out; a picture without anything is all shape.
    private static let leastContrast: UInt8 = 16

    /// - Returns: a `ya8` frame.
    static func mask(of picture: borrowing ScaledImage) throws(TranscodeFailure) -> Frame {
        let size = picture.size
        let shape = picture.isOpaque ? standingOut(try brightness(of: picture), size) : alphas(of: picture)
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

    private static func alphas(of picture: borrowing ScaledImage) -> [UInt8] { plane(3, of: picture.frame) }

    /// One byte for each pixel, row by row.
    private static func brightness(of picture: borrowing ScaledImage) throws(TranscodeFailure) -> [UInt8] {
        guard picture.frame.format == AV_PIX_FMT_GBRP || picture.frame.format == AV_PIX_FMT_GBRAP else {
            return plane(0, of: picture.frame)
        }
        return plane(0, of: try ImageEncoding.photo(picture).frame)
    }

    private static func plane(_ plane: Int, of frame: borrowing Frame) -> [UInt8] {
        let (width, height, stride) = (frame.width, frame.height, frame.stride(plane))
        return frame.withPlane(plane) { bytes in
            var values: [UInt8] = []
            values.reserveCapacity(width * height)
            for row in 0..<height {
                for offset in row * stride..<row * stride + width { values.append(bytes[offset]) }
            }
            return values
        }
    }

    /// The further from the border's brightness, the more opaque; the furthest is opaque.
    static func standingOut(_ brightness: [UInt8], _ size: PixelSize) -> [UInt8] {
        let (width, height) = (size.width, size.height)
        let border = brightness.indices.filter { index in
            let (row, column) = (index / width, index % width)
            return row == 0 || column == 0 || row == height - 1 || column == width - 1
        }.map { brightness[$0] }.sorted()
        let ground = border[border.count / 2]
        let distances = brightness.map { $0 > ground ? $0 - ground : ground - $0 }
        guard let most = distances.max(), most >= leastContrast else {
            return [UInt8](repeating: 255, count: brightness.count)
        }
        return distances.map { UInt8((Int($0) * 255 + Int(most) / 2) / Int(most)) }
    }
}
