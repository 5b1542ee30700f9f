import CFFmpeg
import TranscodeProtocol

/// The owner of an SwsContext, which converts and scales images from one shape to another.
@safe
struct Scaler: ~Copyable {
    /// The color matrix between RGB and luma with chroma.
    enum Matrix: Equatable {
        case bt601
        case bt709
        case bt2020

        fileprivate var coefficients: UnsafePointer<Int32>? {
            switch self {
            case .bt601: unsafe sws_getCoefficients(SWS_CS_ITU601)
            case .bt709: unsafe sws_getCoefficients(SWS_CS_ITU709)
            case .bt2020: unsafe sws_getCoefficients(SWS_CS_BT2020)
            }
        }
    }

    /// The source or the target of a conversion.
    struct Shape: Equatable {
        var width: Int
        var height: Int
        var format: AVPixelFormat
        var isFullRange = true
        var matrix = Matrix.bt601

        /// Whether the format is luma, with or without chroma.
        fileprivate var isLuma: Bool {
            let format = PixelFormat(format)
            return format.isColorDifference || format.isGray
        }

        fileprivate mutating func forgetRange() {
            isFullRange = false
            switch format {
            case AV_PIX_FMT_YUVJ420P: format = AV_PIX_FMT_YUV420P
            case AV_PIX_FMT_YUVJ422P: format = AV_PIX_FMT_YUV422P
            case AV_PIX_FMT_YUVJ444P: format = AV_PIX_FMT_YUV444P
            case AV_PIX_FMT_YUVJ440P: format = AV_PIX_FMT_YUV440P
            case AV_PIX_FMT_YUVJ411P: format = AV_PIX_FMT_YUV411P
            default: break
            }
        }
    }

    enum Quality {
        /// The quality for still images: sharp and exact.
        case still
        /// The quality for the frames of a video, in which viewers cannot see the difference.
        case motion
        /// The quality for chroma that is spread over more samples. Samples affect only neighbors; no value overshoots.
        case spread

        fileprivate var flags: Int32 {
            switch self {
            case .still: SWS_LANCZOS | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
            case .motion: SWS_BICUBIC
            case .spread: SWS_BILINEAR | SWS_ACCURATE_RND
            }
        }
    }

    private let pointer: OpaquePointer

    deinit { unsafe sws_freeContext(pointer) }

    /// Creates a scaler for images of these shapes.
    ///
    /// - Throws: `unsupported` for a pixel format that swscale does not read or write.
    static func make(from source: Shape, to target: Shape, quality: Quality) throws(TranscodeFailure) -> Scaler {
        guard sws_isSupportedInput(source.format) > 0, sws_isSupportedOutput(target.format) > 0 else {
            throw .unsupported("the pixel format cannot be converted")
        }
        var (source, target) = (source, target)
        if source.isFullRange, target.isFullRange, source.isLuma, target.isLuma, source.matrix == target.matrix {
            // FFmpeg 5.1 may stretch a full range a second time, if only the target's format implies it. swscale needs
            // equal ranges only when the matrix changes, because that conversion uses RGB.
            source.forgetRange()
            target.forgetRange()
        }
        let made = unsafe sws_getContext(
            Int32(clamping: source.width), Int32(clamping: source.height), source.format,
            Int32(clamping: target.width), Int32(clamping: target.height), target.format, quality.flags, nil, nil, nil)
        guard let made = unsafe made else { throw .noMemory("scaler") }
        let scaler = unsafe Scaler(pointer: made)
        // FFmpeg returns -1 for pairs without luma, for which ranges and matrices have no meaning.
        _ = unsafe sws_setColorspaceDetails(
            made, source.matrix.coefficients, source.isFullRange ? 1 : 0, target.matrix.coefficients,
            target.isFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
        return scaler
    }

    /// Scales the whole image.
    func scale(_ source: borrowing Frame, into target: borrowing Frame) throws(TranscodeFailure) {
        let rows = unsafe sws_scale(
            pointer, source.planes, source.strides, 0, Int32(source.height), target.mutablePlanes, target.strides)
        guard rows == target.height else { throw .internalFault("scaling made \(rows) rows") }
    }

    /// Converts some rows of the source to the first rows of the target, which has the same width.
    func convert(_ source: borrowing Frame, rows: Range<Int>, into strip: borrowing Frame) throws(TranscodeFailure) {
        let made = unsafe sws_scale(
            pointer, source.planes(fromRow: rows.lowerBound), source.strides, 0, Int32(rows.count), strip.mutablePlanes,
            strip.strides)
        guard made == rows.count else { throw .internalFault("the conversion made \(made) rows") }
    }
}
