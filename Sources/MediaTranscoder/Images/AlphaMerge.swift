import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// Lays a mask over a picture as its alpha, and makes of other alphas what it is everywhere here.
enum AlphaMerge {
    /// - Returns: a picture whose alpha, where it has one, covers, and whose colours are without it.
    static func apply(
        _ meaning: ImageFacts.AlphaMeaning, to picture: consuming Frame
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

    /// Gives a picture of red, green and blue the colours that its file names, in place of a profile. High dynamic range
    /// with an alpha becomes SDR here: what scales it later keeps no alpha.
    static func named(_ colour: CodedColour, _ picture: consuming Frame) throws(TranscodeFailure) -> Frame {
        picture.dropColorProfile()
        picture.setColour(colour)
        guard picture.hdrTransfer != nil else {
            try picture.attachProfileOfPrimaries()
            return picture
        }
        guard picture.pixelFormat.hasAlpha else { return picture }
        let size = (picture.width, picture.height)
        let covered = try Frame.allocate(width: size.0, height: size.1, format: AV_PIX_FMT_GBRAP)
        try Scaler.make(from: picture.shape, to: covered.shape, quality: .still).scale(picture, into: covered)
        let toned = try planes(of: picture)
        try lay(covered.alphaPlane(), over: toned, isPremultiplied: false)
        return toned
    }

    /// Brings high dynamic range to SDR first: eight bits do not hold its tones.
    ///
    /// - Returns: `gbrap` of the same picture, whose alpha nobody has written yet.
    static func planes(of picture: consuming Frame) throws(TranscodeFailure) -> Frame {
        if let transfer = picture.hdrTransfer {
            picture = try ToneMapping.rgb(picture, transfer, to: PixelSize(picture.width, picture.height))
        }
        let planes = try Frame.allocate(width: picture.width, height: picture.height, format: AV_PIX_FMT_GBRAP)
        try Scaler.make(from: picture.shape, to: planes.shape, quality: .still).scale(picture, into: planes)
        try planes.copyColorProfile(from: picture)
        return planes
    }

    /// Makes the first plane of a mask the alpha of `gbrap`, which is not premultiplied then.
    ///
    /// - Parameters:
    ///   - mask: of another size, it is scaled.
    ///   - isPremultiplied: the colours are multiplied by it already.
    static func lay(
        _ mask: consuming Frame, over picture: borrowing Frame, isPremultiplied: Bool
    ) throws(TranscodeFailure) {
        let alpha = try picture.alphaPlane()
        try Scaler.make(from: mask.shape, to: alpha.shape, quality: .still).scale(mask, into: alpha)
        if isPremultiplied { AlphaPlanes.divide(picture) }
    }
}
