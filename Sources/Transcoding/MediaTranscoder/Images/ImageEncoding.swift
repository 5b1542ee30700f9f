import Base
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
        let packed: Frame
        if image.isOpaque {
            packed = try withoutAlpha(image.frame).converted(to: AV_PIX_FMT_RGB24)
        } else {
            let divided = try image.frame.copy()
            AlphaPlanes.divide(divided)
            packed = try divided.converted(to: AV_PIX_FMT_RGBA)
        }
        try packed.copyColorProfile(from: image.frame)
        return try png(frame: packed, effort)
    }

    /// Encodes a frame as PNG.
    ///
    /// - Parameter frame: A frame in `gray8`, `ya8`, `rgb24` or `rgba`.
    static func png(frame: borrowing Frame, _ effort: PNGEffort) throws(TranscodeFailure) -> Packet {
        let encoder = try unsafe Encoder.open(
            "png", width: frame.width, height: frame.height, format: frame.format, options: effort.options)
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

/// The effort that is spent to make a PNG small.
///
/// The effort was measured with images of 512 × 384 pixels. For photographs, one filter and zlib's level 2 take half
/// the time of all filters and level 4, and result in 3 % more bytes. For drawings, they result in twice the bytes.
enum PNGEffort: Equatable {
    /// An image with flat areas and gradients: at least three of five samples are within one level of the previous one.
    case drawing
    case photo

    /// The distance between the rows that are checked.
    private static let step = 8

    init(_ image: borrowing ScaledImage) {
        let (width, height, stride) = (image.size.width, image.size.height, image.frame.stride(0))
        let alike = image.frame.withPlane(0) { bytes in
            var alike = 0
            for row in Swift.stride(from: 0, to: height, by: Self.step) {
                let line = bytes.extracting(row * stride..<row * stride + width)
                for column in 1..<max(1, width) where abs(Int(line[column]) - Int(line[column - 1])) <= 1 { alike += 1 }
            }
            return alike
        }
        let looked = (height + Self.step - 1) / Self.step * (width - 1)
        self = alike * 5 < looked * 3 ? .photo : .drawing
    }

    /// The options of FFmpeg's encoder. zlib's default level, 6, takes twice the time of 4 for a twelfth fewer bytes.
    var options: [(String, String)] {
        switch self {
        case .drawing: [("pred", "mixed"), ("compression_level", "4")]
        case .photo: [("pred", "avg"), ("compression_level", "2")]
        }
    }
}

/// The choice of a still image's format, and its writing.
enum StillOutput {
    /// Writes a still image. Masks become PNG and photographs JPEG. Graphics become PNG, or JPEG on white if the PNG is
    /// too large. In a file format that is used for both, an image with transparent parts counts as graphics.
    static func write(
        _ image: borrowing ScaledImage, from source: MediaFormat, order: RenditionSpec, output: Int32
    ) throws(TranscodeFailure) -> RenditionReport {
        guard !order.isMask else {
            let packet = try ImageEncoding.png(frame: ImageMask.mask(of: image), .drawing)
            return try write(packet, as: .png, size: image.size, order: order, output: output)
        }
        let staysGraphic =
            switch source {
            case .png, .gif, .ico: true
            case .webp, .heic, .avif, .bmp, .tiff: !image.isOpaque
            default: false
            }
        if staysGraphic {
            let packet = try ImageEncoding.png(image)
            if UInt64(packet.byteCount) <= order.imageBytes {
                return try write(packet, as: .png, size: image.size, order: order, output: output)
            }
        }
        let fitted = try JPEGUnderCap.make(image, quality: Int(order.jpegQuality), maxBytes: order.imageBytes)
        return try write(fitted.packet, as: .jpeg, size: fitted.size, order: order, output: output)
    }

    private static func write(
        _ packet: borrowing Packet, as format: MediaFormat, size: PixelSize, order: RenditionSpec, output: Int32
    ) throws(TranscodeFailure) -> RenditionReport {
        let file = try OutputFile(output, maxBytes: order.imageBytes)
        try packet.withBytes { bytes throws(TranscodeFailure) in try file.write(bytes) }
        return RenditionReport(
            role: order.role, format: format, width: UInt32(size.width), height: UInt32(size.height),
            bytes: UInt64(file.byteCount))
    }
}
