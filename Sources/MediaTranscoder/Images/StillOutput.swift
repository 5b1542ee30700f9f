import TranscodeProtocol

/// Writes one still in the format that suits its source.
enum StillOutput {
    /// Masks become PNG, photos JPEG; graphics PNG, or JPEG on white when that is too large; the others are what their
    /// alpha says.
    static func write(
        _ picture: borrowing ScaledImage, from source: SourceFormat, order: RenditionSpec, output: Int32
    ) throws(TranscodeFailure) -> RenditionReport {
        guard !order.isMask else {
            let packet = try ImageEncoding.png(frame: ImageMask.mask(of: picture), .drawing)
            return try write(packet, as: .png, size: picture.size, order: order, output: output)
        }
        let staysGraphic =
            switch source {
            case .png, .gif, .ico: true
            case .webp, .heif, .bmp, .tiff: !picture.isOpaque
            default: false
            }
        if staysGraphic {
            let packet = try ImageEncoding.png(picture)
            if UInt64(packet.byteCount) <= order.pictureBytes {
                return try write(packet, as: .png, size: picture.size, order: order, output: output)
            }
        }
        let fitted = try JPEGUnderCap.make(picture, quality: Int(order.jpegQuality), mostBytes: order.pictureBytes)
        return try write(fitted.packet, as: .jpeg, size: fitted.size, order: order, output: output)
    }

    private static func write(
        _ packet: borrowing Packet, as format: RenditionFormat, size: PixelSize, order: RenditionSpec, output: Int32
    ) throws(TranscodeFailure) -> RenditionReport {
        let file = try OutputFile(output, mostBytes: order.pictureBytes)
        try packet.withBytes { bytes throws(TranscodeFailure) in try file.write(bytes) }
        return RenditionReport(
            role: order.role, format: format, width: UInt32(size.width), height: UInt32(size.height),
            bytes: UInt64(file.byteCount))
    }
}
