import CFFmpeg
import IconDrawing
import MediaHeaders
import TranscodeProtocol

/// The drawing of bitmaps that FFmpeg's decoders do not read. Such bitmaps are icons, whose mask needs a demuxer, and
/// BMPs with rare masks.
enum BitmapDrawing {
    static func decode(_ source: borrowing MappedInput, _ bitmap: ICOBitmap) throws(TranscodeFailure) -> Frame {
        let icon = try source.withBytes { bytes throws(TranscodeFailure) in
            try ImageInspection.walk("ICO") { () throws(MediaHeaderError) in try ICOImage(bitmap, of: bytes) }
        }
        let frame = try Frame.allocate(width: icon.width, height: icon.height, format: AV_PIX_FMT_RGBA)
        let (rowBytes, stride) = (icon.width * 4, frame.stride(0))
        frame.withMutablePlane(0) { target in
            for row in 0..<icon.height {
                for offset in 0..<rowBytes { target[row * stride + offset] = icon.pixels[row * rowBytes + offset] }
            }
        }
        return frame
    }

    /// Draws a BMP by its channel masks.
    static func decode(_ source: borrowing MappedInput, _ header: BMPHeader) throws(TranscodeFailure) -> Frame {
        let (width, height) = (header.width, header.height)
        return try source.withBytes { bytes throws(TranscodeFailure) in
            guard let bitmap = MaskedBitmap(header, of: bytes) else { throw TranscodeFailure(.corrupt, "BMP: cut") }
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
