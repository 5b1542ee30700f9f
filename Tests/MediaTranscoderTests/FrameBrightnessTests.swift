import CFFmpeg
import Testing

@testable import MediaTranscoder

@Suite struct FrameBrightnessTests {
    @Test(arguments: [16, 31, 32, 200] as [UInt8])
    func `the mean luma tells dark frames from others`(_ luma: UInt8) throws {
        let frame = try Frame.allocate(width: 70, height: 50, format: AV_PIX_FMT_YUV420P)
        frame.withMutablePlane(0) { plane in
            for offset in plane.indices { plane[offset] = luma }
        }
        let mean = FrameBrightness.meanLuma(frame) ?? -1
        #expect(mean == Int(luma))
        #expect((mean < FrameBrightness.dark) == (luma < 32))
    }

    @Test func `layouts without luma have no brightness`() throws {
        let frame = try Frame.allocate(width: 8, height: 8, format: AV_PIX_FMT_GBRP)
        let mean = FrameBrightness.meanLuma(frame)
        #expect(mean == nil)
    }
}
