import Base
import CFFmpeg
import Testing

@testable import MediaTranscoder

/// The tests that an alpha that is opaque everywhere is removed.
struct OpaqueAlphaTests {
    @Test(arguments: [UInt8(255), 200])
    func `the alpha of an image is scaled only if a pixel is transparent`(_ least: UInt8) throws {
        let source = try Frame.allocate(width: 96, height: 64, format: AV_PIX_FMT_RGBA)
        source.withMutablePlane(0) { bytes in
            for offset in bytes.indices { bytes[offset] = offset % 4 == 3 ? 255 : UInt8(offset % 4 * 90) }
            bytes[bytes.count - 1] = least
        }
        let scaled = try ImageScaling.scale(source, to: PixelSize(64, 43))
        let format = scaled.frame.format
        let color = [2, 0, 1].map { plane in scaled.frame.withPlane(plane) { $0[0] } }
        #expect(format == (least == 255 ? AV_PIX_FMT_GBRP : AV_PIX_FMT_GBRAP))
        #expect(color == [0, 90, 180])
    }
}
