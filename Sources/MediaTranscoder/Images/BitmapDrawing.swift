import CFFmpeg
import IconDrawing
import MediaHeaders
import TranscodeProtocol

/// The drawing of bitmaps that FFmpeg's decoders do not read: icons with their masks, and BMPs with rare masks.
enum BitmapDrawing {
    static func decode(_ source: borrowing MappedInput, _ bitmap: ICOBitmap) throws(TranscodeFailure) -> Frame {
        let icon = try source.withBytes { bytes throws(TranscodeFailure) in
            try ImageInspection.walk("ICO", ICOImage(bitmap, of: bytes))
        }
        let frame = try Frame.allocate(width: icon.width, height: icon.height, format: AV_PIX_FMT_RGBA)
        frame.fill(0, with: icon.pixels.span, rowBytes: icon.width * 4)
        return frame
    }

    /// Draws a BMP by its channel masks.
    static func decode(_ source: borrowing MappedInput, _ header: BMPHeader) throws(TranscodeFailure) -> Frame {
        let (width, height) = (header.width, header.height)
        return try source.withBytes { bytes throws(TranscodeFailure) in
            guard let bitmap = MaskedBitmap(header, of: bytes) else { throw .corrupt("BMP: cut") }
            let frame = try Frame.allocate(
                width: width, height: height, format: bitmap.hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24)
            let stride = frame.stride(0)
            frame.withMutablePlane(0) { target in
                for row in 0..<height { bitmap.draw(row: row, of: bytes, into: &target, at: row * stride) }
            }
            return frame
        }
    }
}
