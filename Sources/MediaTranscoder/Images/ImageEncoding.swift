import CFFmpeg
import TranscodeProtocol

/// Encodes scaled pictures as JPEG or PNG.
enum ImageEncoding {
    /// The picture as JPEGs are made of: luma and halved colour differences. Transparent parts become white.
    static func photo(_ picture: borrowing ScaledImage) throws(TranscodeFailure) -> ScaledImage {
        let opaque = try withoutAlpha(picture.frame)
        guard opaque.format != AV_PIX_FMT_YUVJ420P else { return ScaledImage(frame: opaque) }
        let photo = try Frame.allocate(width: opaque.width, height: opaque.height, format: AV_PIX_FMT_YUVJ420P)
        var target = opaque.shape
        target.format = AV_PIX_FMT_YUVJ420P
        try Scaler.make(from: opaque.shape, to: target, quality: .still).scale(opaque, into: photo)
        return ScaledImage(frame: photo)
    }

    /// - Parameter quality: libjpeg's, 1…100.
    static func jpeg(_ picture: borrowing ScaledImage, quality: Int) throws(TranscodeFailure) -> Packet {
        try TurboEncoder.make().jpeg(photo(picture).frame, quality: quality)
    }

    /// A PNG of eight bits a sample: grey, RGB, or RGBA where some pixel is transparent.
    static func png(_ picture: borrowing ScaledImage) throws(TranscodeFailure) -> Packet {
        let effort = PNGEffort(picture)
        guard picture.frame.format != AV_PIX_FMT_GRAY8 else { return try png(frame: picture.frame, effort) }
        let isOpaque = picture.isOpaque
        let packed = try Frame.allocate(
            width: picture.frame.width, height: picture.frame.height,
            format: isOpaque ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_RGBA)
        if isOpaque {
            let opaque = try withoutAlpha(picture.frame)
            try Scaler.make(from: opaque.shape, to: packed.shape, quality: .still).scale(opaque, into: packed)
        } else {
            let divided = try picture.frame.copy()
            AlphaPlanes.divide(divided)
            try Scaler.make(from: divided.shape, to: packed.shape, quality: .still).scale(divided, into: packed)
        }
        try packed.copyColorProfile(from: picture.frame)
        return try png(frame: packed, effort)
    }

    /// - Parameter frame: `gray8`, `ya8`, `rgb24` or `rgba`.
    static func png(frame: borrowing Frame, _ effort: PNGEffort) throws(TranscodeFailure) -> Packet {
        let encoder = try Encoder.open(
            "png", width: frame.width, height: frame.height, format: frame.format,
            options: effort.options)
        frame.presentationTime = 0
        return try encoder.packet(of: frame)
    }

    /// The colour planes over white, without the alpha plane; a copy in any case.
    private static func withoutAlpha(_ frame: borrowing Frame) throws(TranscodeFailure) -> Frame {
        let copy = try frame.copy()
        guard copy.format == AV_PIX_FMT_GBRAP else { return copy }
        AlphaPlanes.layOverWhite(copy)
        copy.leaveOutAlpha()
        return copy
    }
}
