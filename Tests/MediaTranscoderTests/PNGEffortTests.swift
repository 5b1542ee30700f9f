import CFFmpeg
import Testing

@testable import MediaTranscoder

struct PNGEffortTests {
    private static func image(_ value: (_ x: Int, _ y: Int) -> UInt8) throws -> ScaledImage {
        let frame = try Frame.allocate(width: 256, height: 192, format: AV_PIX_FMT_GBRP)
        for plane in 0..<3 {
            let stride = frame.stride(plane)
            frame.withMutablePlane(plane) { bytes in
                for y in 0..<192 {
                    for x in 0..<256 { bytes[y * stride + x] = value(x, y) }
                }
            }
        }
        return ScaledImage(frame: frame)
    }

    @Test func `an image with noise is a photograph, and an image with flat areas is a drawing`() throws {
        var state: UInt32 = 1
        let noise = try Self.image { x, y in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: (x + y) / 4 + Int(state >> 28))
        }
        let areas = try Self.image { x, y in x / 32 % 2 == y / 32 % 2 ? 20 : 200 }
        let gradient = try Self.image { x, _ in UInt8(x) }
        let kinds = [PNGEffort(noise), PNGEffort(areas), PNGEffort(gradient)]
        #expect(kinds == [.photo, .drawing, .drawing])
    }

    @Test func `an image of one pixel is a drawing`() throws {
        let frame = try Frame.allocate(width: 1, height: 1, format: AV_PIX_FMT_GRAY8)
        frame.withMutablePlane(0) { $0[0] = 9 }
        let image = ScaledImage(frame: frame)
        let kind = PNGEffort(image)
        #expect(kind == .drawing)
    }
}
