import CFFmpeg
import MediaTypes
import TranscodeProtocol

/// A converter of frames with high dynamic range to SDR in BT.709, like `ToneMapping` for still images. All frames have
/// one shape.
struct VideoToneMapping: ~Copyable {
    private let tones: ToneMapping
    private let size: PixelSize
    private let source: Scaler
    private let target: Scaler

    static func make(
        _ frame: borrowing Frame, _ transfer: HDRTransfer, to size: PixelSize
    ) throws(TranscodeFailure) -> VideoToneMapping {
        VideoToneMapping(
            tones: ToneMapping(transfer, matrix: frame.matrixToSRGB), size: size,
            source: try Scaler.make(
                from: frame.shape, to: .init(width: size.width, height: size.height, format: AV_PIX_FMT_GBRP10LE),
                quality: .motion),
            target: try Scaler.make(
                from: .init(width: size.width, height: size.height, format: AV_PIX_FMT_RGB24),
                to: .init(
                    width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P, isFullRange: false,
                    matrix: .bt709),
                quality: .motion))
    }

    func scale(_ frame: borrowing Frame, into result: borrowing Frame) throws(TranscodeFailure) {
        let deep = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_GBRP10LE)
        try source.scale(frame, into: deep)
        let packed = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_RGB24)
        tones.convert(deep, into: packed)
        try target.scale(packed, into: result)
    }
}
