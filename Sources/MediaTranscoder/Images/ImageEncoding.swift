import CFFmpeg
import TranscodeProtocol

/// The encoding of scaled images as JPEG or PNG.
enum ImageEncoding {
    /// Returns the image in the format of a JPEG: luma and halved chroma. Transparent parts become white.
    static func photo(_ image: borrowing ScaledImage) throws(TranscodeFailure) -> ScaledImage {
        let opaque = try withoutAlpha(image.frame)
        guard opaque.format != AV_PIX_FMT_YUVJ420P else { return ScaledImage(frame: opaque) }
        let photo = try Frame.allocate(width: opaque.width, height: opaque.height, format: AV_PIX_FMT_YUVJ420P)
        var target = opaque.shape
        target.format = AV_PIX_FMT_YUVJ420P
        try Scaler.make(from: opaque.shape, to: target, quality: .still).scale(opaque, into: photo)
        return ScaledImage(frame: photo)
    }

    /// Encodes an image as JPEG.
    ///
    /// - Parameter quality: The quality in libjpeg's scale, 1…100.
    static func jpeg(_ image: borrowing ScaledImage, quality: Int) throws(TranscodeFailure) -> Packet {
        try TurboEncoder.make().jpeg(photo(image).frame, quality: quality)
    }

    /// Encodes an image as PNG with 8 bits per sample. The PNG is gray, RGB, or RGBA if a pixel is transparent.
    static func png(_ image: borrowing ScaledImage) throws(TranscodeFailure) -> Packet {
        let effort = PNGEffort(image)
        guard image.frame.format != AV_PIX_FMT_GRAY8 else { return try png(frame: image.frame, effort) }
        let isOpaque = image.isOpaque
        let packed = try Frame.allocate(
            width: image.frame.width, height: image.frame.height,
            format: isOpaque ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_RGBA)
        if isOpaque {
            let opaque = try withoutAlpha(image.frame)
            try Scaler.make(from: opaque.shape, to: packed.shape, quality: .still).scale(opaque, into: packed)
        } else {
            let divided = try image.frame.copy()
            AlphaPlanes.divide(divided)
            try Scaler.make(from: divided.shape, to: packed.shape, quality: .still).scale(divided, into: packed)
        }
        try packed.copyColorProfile(from: image.frame)
        return try png(frame: packed, effort)
    }

    /// Encodes a frame as PNG.
    ///
    /// - Parameter frame: A frame in `gray8`, `ya8`, `rgb24` or `rgba`.
    static func png(frame: borrowing Frame, _ effort: PNGEffort) throws(TranscodeFailure) -> Packet {
        let encoder = try Encoder.open(
            "png", width: frame.width, height: frame.height, format: frame.format,
            options: effort.options)
        frame.presentationTime = 0
        return try encoder.packet(of: frame)
    }

    /// Returns a copy of the frame without its alpha plane. The colors are blended with white.
    private static func withoutAlpha(_ frame: borrowing Frame) throws(TranscodeFailure) -> Frame {
        let copy = try frame.copy()
        guard copy.format == AV_PIX_FMT_GBRAP else { return copy }
        AlphaPlanes.layOverWhite(copy)
        copy.leaveOutAlpha()
        return copy
    }
}
