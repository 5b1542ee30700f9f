import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The functions that add a mask to an image as its alpha, and convert other kinds of alpha to coverage that is not
/// premultiplied.
enum AlphaMerge {
    /// Converts an image's alpha.
    ///
    /// - Returns: An image without alpha, or with an alpha that means coverage and with colors that are not multiplied
    ///   by it.
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

    /// Sets the colors that the file names instead of its profile. An image with high dynamic range and alpha is
    /// converted to SDR here, because the later scaling of such images keeps no alpha.
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

    /// Converts an image to `gbrap`. High dynamic range is converted to SDR first, because eight bits cannot hold its
    /// tones.
    ///
    /// - Returns: The same image in `gbrap`. Its alpha is not yet defined.
    static func planes(of picture: consuming Frame) throws(TranscodeFailure) -> Frame {
        if let transfer = picture.hdrTransfer {
            picture = try ToneMapping.rgb(picture, transfer, to: PixelSize(picture.width, picture.height))
        }
        let planes = try Frame.allocate(width: picture.width, height: picture.height, format: AV_PIX_FMT_GBRAP)
        try Scaler.make(from: picture.shape, to: planes.shape, quality: .still).scale(picture, into: planes)
        try planes.copyColorProfile(from: picture)
        return planes
    }

    /// Makes the first plane of a mask the alpha of a `gbrap` image. The result is not premultiplied.
    ///
    /// - Parameter mask: The mask. It is scaled to the image's size.
    /// - Parameter isPremultiplied: Whether the colors are already multiplied by the mask.
    static func lay(
        _ mask: consuming Frame, over picture: borrowing Frame, isPremultiplied: Bool
    ) throws(TranscodeFailure) {
        let alpha = try picture.alphaPlane()
        try Scaler.make(from: mask.shape, to: alpha.shape, quality: .still).scale(mask, into: alpha)
        if isPremultiplied { AlphaPlanes.divide(picture) }
    }
}
