import Base
import CFFmpeg
import CWebPDemux
import MediaHeaders
import TranscodeProtocol

/// The frames of an animated WebP, which libwebp composes. FFmpeg 5.1 has no decoder for them.
@safe
final class WebPFrames: AnimationFrames {
    private let pointer: OpaquePointer
    private let size: PixelSize
    private let profile: [UInt8]
    private var rest: Int

    init(_ source: borrowing MappedInput, facts: ImageFacts) throws(TranscodeFailure) {
        var options = WebPAnimDecoderOptions()
        guard unsafe WebPAnimDecoderOptionsInit(&options) != 0 else {
            throw .internalFault("libwebpdemux has an incompatible version")
        }
        options.color_mode = MODE_RGBA
        options.use_threads = 0
        var data = unsafe WebPData(bytes: source.base, size: source.count)
        guard let made = unsafe WebPAnimDecoderNew(&data, &options) else {
            throw .corrupt("WebP: the animation cannot be read")
        }
        unsafe pointer = made
        size = facts.size
        rest = facts.delays.count
        profile = source.withBytes { bytes in facts.colorProfile.flatMap { bytes.copy($0) } }
        var info = WebPAnimInfo()
        guard unsafe WebPAnimDecoderGetInfo(made, &info) != 0,
            (Int(info.canvas_width), Int(info.canvas_height)) == (size.width, size.height)
        else { throw .corrupt("WebP: the animation is not of its canvas' size") }
    }

    deinit { unsafe WebPAnimDecoderDelete(pointer) }

    func next() throws(TranscodeFailure) -> Frame? {
        guard rest > 0, unsafe WebPAnimDecoderHasMoreFrames(pointer) != 0 else { return nil }
        rest -= 1
        var pixels: UnsafeMutablePointer<UInt8>?
        var end: Int32 = 0
        guard unsafe WebPAnimDecoderGetNext(pointer, &pixels, &end) != 0, let pixels = unsafe pixels else {
            throw .corrupt("WebP: a damaged frame in the animation")
        }
        let frame = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_RGBA)
        let rowBytes = size.width * 4
        frame.fill(0, with: unsafe Span(_unsafeStart: pixels, count: rowBytes * size.height), rowBytes: rowBytes)
        try frame.attachColorProfile(profile)
        return frame
    }
}
