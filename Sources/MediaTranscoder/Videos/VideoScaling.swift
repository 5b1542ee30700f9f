import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// Brings a video's frames, one after the other, to the encoder's size and layout.
struct VideoScaling: ~Copyable {
    /// As coded, before the turn.
    private let size: PixelSize
    private let orientation: ImageOrientation
    /// Kept while the frames keep their shape; a stream may change it.
    private var scaler: Scaler?
    private var shape: Scaler.Shape?
    /// In place of the scaler, for frames of high dynamic range.
    private var toneMapping: VideoToneMapping?

    init(size: PixelSize, orientation: ImageOrientation) {
        self.size = size
        self.orientation = orientation
    }

    /// A frame of `yuv420p`, limited range, with the colour matrix of the source; with BT.709's for high dynamic range.
    mutating func scale(_ frame: borrowing Frame) throws(TranscodeFailure) -> Frame {
        guard frame.isInterlaced else { return try scaleProgressive(frame) }
        return try scaleProgressive(frame.field())
    }

    private mutating func scaleProgressive(_ frame: borrowing Frame) throws(TranscodeFailure) -> Frame {
        let source = frame.shape
        if source != shape {
            toneMapping = nil
            if let transfer = frame.hdrTransfer {
                toneMapping = try VideoToneMapping.make(frame, transfer, to: size)
            } else {
                scaler = try Scaler.make(
                    from: source,
                    to: .init(
                        width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P, isFullRange: false,
                        matrix: source.matrix),
                    quality: .motion)
            }
            shape = source
        }
        let target = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P)
        if frame.hdrTransfer != nil {
            try toneMapping?.scale(frame, into: target)
        } else {
            try scaler?.scale(frame, into: target)
        }
        return orientation == .upright ? target : try PlaneRotation.turn(target, orientation)
    }
}
