import Base
import CFFmpeg
import Testing

@testable import MediaHeaders
@testable import MediaTranscoder

/// The tests of full-range black and white during a change of the color matrix, for which swscale uses RGB.
struct FullRangeMatrixTests {
    /// The arguments are the code points of BT.709 and BT.2020 in H.273.
    @Test(arguments: [1, 9])
    func `a conversion to another color matrix keeps the full range`(_ matrix: Int) throws {
        let source = try Frame.allocate(width: 128, height: 64, format: AV_PIX_FMT_YUVJ420P)
        source.setColor(CodedColor(primaries: 1, transfer: 1, matrix: matrix, isFullRange: true))
        for plane in 0..<3 {
            let stride = source.stride(plane)
            source.withMutablePlane(plane) { bytes in
                for offset in bytes.indices {
                    bytes[offset] = plane > 0 ? 128 : offset % stride < 64 ? 0 : 255
                }
            }
        }
        let scaled = try ImageScaling.scale(source, to: PixelSize(64, 32))
        let luma = scaled.frame.withPlane(0) { [$0[8], $0[56]] }
        #expect(luma[0] <= 1 && luma[1] >= 254, "\(luma)")
    }
}
