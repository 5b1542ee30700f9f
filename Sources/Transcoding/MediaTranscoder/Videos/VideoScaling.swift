import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// A converter of a video's frames, one after the other, to the encoder's size and layout.
///
/// A stream may change its frame size or its pixel aspect ratio. Frames whose aspect ratio differs from that of the
/// first one are shown completely, with black bars.
struct VideoScaling: ~Copyable {
    /// The size of a frame and the shape of its pixels.
    struct FrameShape: Equatable {
        var size: PixelSize
        /// The width of a pixel divided by its height.
        var pixelAspect: Double

        /// The width of the shown image divided by its height.
        var aspect: Double { Double(size.width) * pixelAspect / Double(size.height) }
    }

    /// The size of the encoded frames before their rotation.
    private let size: PixelSize
    private let orientation: ImageOrientation
    /// The shape of the frames that fill the size; `nil` if all frames fill it.
    private let filling: FrameShape?
    /// The scaler for frames of `shape`; `nil` before the first frame.
    private var scaler: Scaler?
    private var shape: Scaler.Shape?
    /// The size to which frames of `shape` are scaled, at most `size`.
    private var fitted: PixelSize
    /// The converter that replaces the scaler for frames with high dynamic range; `nil` for other frames.
    private var toneMapping: VideoToneMapping?

    /// Creates a converter for the frames of a video.
    ///
    /// - Parameter filling: The shape of frames for which the size was chosen; `nil` if all have one aspect ratio.
    init(size: PixelSize, orientation: ImageOrientation, filling: FrameShape? = nil) {
        self.size = size
        self.orientation = orientation
        self.filling = filling
        fitted = size
    }

    /// Returns a frame in `yuv420p` with limited range. Its matrix is the source's, or BT.709 for high dynamic range.
    ///
    /// - Parameter pixelAspect: The width of a pixel divided by its height.
    mutating func scale(_ frame: borrowing Frame, pixelAspect: Double = 1) throws(TranscodeFailure) -> Frame {
        var wanted = size
        let whole = FrameShape(size: frame.size, pixelAspect: pixelAspect)
        if let filling, whole != filling { wanted = size.fitting(aspect: whole.aspect / filling.aspect) }
        guard frame.isInterlaced else { return try scaleProgressive(frame, to: wanted) }
        return try scaleProgressive(frame.field(), to: wanted)
    }

    private mutating func scaleProgressive(
        _ frame: borrowing Frame, to wanted: PixelSize
    ) throws(TranscodeFailure) -> Frame {
        let source = frame.shape
        if source != shape || wanted != fitted {
            toneMapping = nil
            if let transfer = frame.hdrTransfer {
                toneMapping = try VideoToneMapping.make(frame, transfer, to: wanted)
            } else {
                scaler = try Scaler.make(
                    from: source,
                    to: .init(
                        width: wanted.width, height: wanted.height, format: AV_PIX_FMT_YUV420P, isFullRange: false,
                        matrix: source.matrix),
                    quality: .motion)
            }
            shape = source
            fitted = wanted
        }
        let target = try Frame.allocate(width: wanted.width, height: wanted.height, format: AV_PIX_FMT_YUV420P)
        if frame.hdrTransfer != nil {
            try toneMapping?.scale(frame, into: target)
        } else {
            try scaler?.scale(frame, into: target)
        }
        let whole = wanted == size ? target : try letterboxed(target)
        return orientation == .upright ? whole : try PlaneRotation.turn(whole, orientation)
    }

    private func letterboxed(_ image: borrowing Frame) throws(TranscodeFailure) -> Frame {
        let whole = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P)
        try whole.fillWithBlack()
        try whole.insert(image, column: (size.width - image.width) / 2 & ~1, row: (size.height - image.height) / 2 & ~1)
        return whole
    }
}

extension PixelSize {
    /// Returns the largest even size that has another aspect ratio and fits within this size.
    ///
    /// - Parameter ratio: The wanted aspect ratio divided by that of this size. Bars of one pixel are not made.
    func fitting(aspect ratio: Double) -> PixelSize {
        let fitted =
            ratio >= 1
            ? PixelSize(width, Int((Double(height) / ratio).rounded()))
            : PixelSize(Int((Double(width) * ratio).rounded()), height)
        return width - fitted.width <= 2 && height - fitted.height <= 2 ? self : fitted.even
    }
}

/// A converter of frames with high dynamic range to SDR in BT.709, like `ToneMapping` for still images, of one shape.
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
