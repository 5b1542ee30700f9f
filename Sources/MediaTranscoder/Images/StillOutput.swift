import MediaTypes
import TranscodeProtocol

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
        let fitted = try JPEGUnderCap.make(image, quality: Int(order.jpegQuality), mostBytes: order.imageBytes)
        return try write(fitted.packet, as: .jpeg, size: fitted.size, order: order, output: output)
    }

    private static func write(
        _ packet: borrowing Packet, as format: MediaFormat, size: PixelSize, order: RenditionSpec, output: Int32
    ) throws(TranscodeFailure) -> RenditionReport {
        let file = try OutputFile(output, mostBytes: order.imageBytes)
        try packet.withBytes { bytes throws(TranscodeFailure) in try file.write(bytes) }
        return RenditionReport(
            role: order.role, format: format, width: UInt32(size.width), height: UInt32(size.height),
            bytes: UInt64(file.byteCount))
    }
}
