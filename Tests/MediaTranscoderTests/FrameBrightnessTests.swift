import CFFmpeg
import Testing

@testable import MediaTranscoder

@Suite struct FrameBrightnessTests {
    @Test(arguments: [16, 31, 32, 200] as [UInt8])
    func `the mean luma distinguishes dark frames from other frames`(_ luma: UInt8) throws {
        let frame = try Frame.allocate(width: 70, height: 50, format: AV_PIX_FMT_YUV420P)
        frame.withMutablePlane(0) { plane in
            for offset in plane.indices { plane[offset] = luma }
        }
        let mean = FrameBrightness.meanLuma(frame) ?? -1
        #expect(mean == Int(luma))
        #expect((mean < FrameBrightness.dark) == (luma < 32))
    }

    @Test(arguments: [
        (AV_PIX_FMT_YUV420P10LE, 31 << 2, 31), (AV_PIX_FMT_YUV444P10LE, 940, 235), (AV_PIX_FMT_YUV422P12LE, 256, 16),
        (AV_PIX_FMT_NV12, 200 << 8 | 200, 200),
    ])
    func `the mean luma of samples with a higher bit depth is the mean of their upper bits`(
        _ format: AVPixelFormat, _ sample: Int, _ expected: Int
    ) throws {
        let frame = try Frame.allocate(width: 70, height: 50, format: format)
        frame.withMutablePlane(0) { plane in
            for offset in plane.indices { plane[offset] = UInt8(truncatingIfNeeded: sample >> (offset % 2 * 8)) }
        }
        let mean = FrameBrightness.meanLuma(frame)
        #expect(mean == expected)
    }

    @Test(arguments: [AV_PIX_FMT_GBRP, AV_PIX_FMT_YUYV422, AV_PIX_FMT_YUV420P10BE])
    func `a layout without luma samples in the first plane has no brightness`(_ format: AVPixelFormat) throws {
        let frame = try Frame.allocate(width: 8, height: 8, format: format)
        let mean = FrameBrightness.meanLuma(frame)
        #expect(mean == nil)
    }
}
