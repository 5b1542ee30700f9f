import Base
import CFFmpeg
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of images that could show foreign memory, or that cost too much.
struct ImageDamageTests {
    @Test func `the pixels outside of an image do not change the encoded image`() throws {
        let jpegs = try [UInt8(0), 255].map { fill in
            let frame = try Frame.allocate(width: 33, height: 35, format: AV_PIX_FMT_YUVJ420P)
            // The fill covers the whole buffer, also outside of the image.
            for plane in 0..<3 {
                let count = frame.stride(plane) * (plane == 0 ? 36 : 18)
                let start = unsafe frame.mutablePlanes[plane]
                unsafe start?.update(repeating: fill, count: count)
                frame.withMutablePlane(plane) { bytes in
                    for offset in bytes.indices { bytes[offset] = offset % frame.stride(plane) < 33 ? 100 : fill }
                }
            }
            // Each row is filled up to the image's width only. The padding keeps the fill.
            let packet = try TurboEncoder.make().jpeg(frame, quality: 85)
            return packet.withBytes { span in span.indices.map { span[$0] } }
        }
        #expect(jpegs[0] == jpegs[1])
    }

    @Test func `a truncated image with stray bytes is refused, and a complete image with stray bytes is shown`() throws
    {
        let whole = Workbench.fixture("photo-small.jpg")
        let scan = try #require(whole.indices.first { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA })
        let stray = Array(whole[..<scan]) + [1, 2, 3] + Array(whole[scan...])
        #expect(Workbench.run(stray, as: .jpeg, [Workbench.order(.thumbnail, 64)]).reports.count == 1)
        let cut = Array(stray.prefix(stray.count / 2)) + [0xFF, 0xD9]
        #expect(Workbench.run(cut, as: .jpeg, [Workbench.order(.thumbnail, 64)]).failure == .corrupt)
    }

    @Test func `a copied progressive JPEG is decoded to its end`() throws {
        var source = Workbench.fixture("progressive-small.jpg")
        let header = try JPEGHeader(file: source)
        let last = header.scans[header.scans.count - 2].end
        for offset in (last + 14)..<(source.count - 2) { source[offset] = 0xAA }
        #expect(Workbench.run(source, as: .jpeg, [Workbench.order(.attachment, 1_024)]).failure == .corrupt)
    }

    @Test func `a profile with a chain of conversions is rejected`() {
        #expect(isProfile(SampleProfile.ordinary))
        #expect(!isProfile(SampleProfile.chained))
    }

    private func isProfile(_ bytes: [UInt8]) -> Bool {
        if case .some = ColorTransform.make(from: bytes.span, kind: .rgb) { true } else { false }
    }

    @Test func `an invalid profile is removed`() throws {
        let frame = try Frame.allocate(width: 8, height: 8, format: AV_PIX_FMT_GBRP)
        let data = unsafe av_frame_new_side_data(frame.pointer, AV_FRAME_DATA_ICC_PROFILE, 64)
        unsafe data?.pointee.data.update(repeating: 0x41, count: 64)
        let image = try ColorConversion.sRGB(ScaledImage(frame: frame))
        let left = unsafe av_frame_get_side_data(image.frame.pointer, AV_FRAME_DATA_ICC_PROFILE)
        #expect(unsafe left == nil)
    }
}
