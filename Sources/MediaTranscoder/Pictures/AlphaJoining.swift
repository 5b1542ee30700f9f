import CFFmpeg
import TranscodeProtocol

/// Lays a mask over a picture as its alpha, and makes of other alphas what it is everywhere here.
enum AlphaJoining {
    /// - Returns: a picture whose alpha, where it has one, covers, and whose colours are without it.
    static func apply(
        _ meaning: PictureFacts.AlphaMeaning, to picture: consuming Frame
    ) throws(TranscodeFailure) -> Frame {
        guard meaning != .coverage, picture.pixelFormat.hasAlpha, !picture.pixelFormat.hasPalette else {
            return picture
        }
        let format = meaning == .meansNothing ? AV_PIX_FMT_GBRP : AV_PIX_FMT_GBRAP
        let planar = try Frame.allocate(width: picture.width, height: picture.height, format: format)
        try Scaler.make(from: picture.shape, to: planar.shape, quality: .still).scale(picture, into: planar)
        if meaning == .isMultipliedIn { AlphaPlanes.divide(planar) }
        try planar.copyColorProfile(from: picture)
        return planar
    }

    /// - Parameters:
    ///   - mask: its first plane is the alpha; of another size, it is scaled.
    ///   - isPremultiplied: the colours are multiplied by it already.
    /// - Returns: `gbrap` of the picture's size, not premultiplied.
    static func join(
        _ picture: borrowing Frame, mask: borrowing Frame, isPremultiplied: Bool
    ) throws(TranscodeFailure) -> Frame {
        let (width, height) = (picture.width, picture.height)
        let joined = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_GBRAP)
        try Scaler.make(from: picture.shape, to: joined.shape, quality: .still).scale(picture, into: joined)
        let alpha = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_GRAY8)
        try Scaler.make(from: mask.shape, to: alpha.shape, quality: .still).scale(mask, into: alpha)
        let (stride, alphaStride) = (joined.stride(3), alpha.stride(0))
        alpha.withPlane(0) { source in
            joined.withMutablePlane(3) { target in
                for row in 0..<height {
                    for column in 0..<width { target[row * stride + column] = source[row * alphaStride + column] }
                }
            }
        }
        if isPremultiplied { AlphaPlanes.divide(joined) }
        try joined.copyColorProfile(from: picture)
        return joined
    }
}
