import CFFmpeg
import IconDrawing
import MediaHeaders
import TranscodeProtocol

/// Draws the bitmap of an icon, whose mask no decoder of FFmpeg reads without its demuxer.
enum IconDecoding {
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
}
