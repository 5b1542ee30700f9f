import CFFmpeg
import CTurboJPEG
import Glibc
import TranscodeProtocol

/// Owns a libjpeg-turbo decompressor: decodes JPEGs of every coding, halved on the way where that is wanted.
@safe
struct TurboDecoder: ~Copyable {
    private let handle: tjhandle
    private let concealsDamage: Bool

    private init(_ handle: tjhandle, concealsDamage: Bool) {
        unsafe self.handle = handle
        self.concealsDamage = concealsDamage
    }

    deinit { unsafe tjDestroy(handle) }

    /// - Parameter concealsDamage: whether a damaged picture is given out; where it is damaged, it is grey.
    static func make(concealsDamage: Bool = false) throws(TranscodeFailure) -> TurboDecoder {
        guard let handle = unsafe tjInitDecompress() else { throw FFmpegStatus.noMemory("JPEG decoder") }
        return unsafe TurboDecoder(handle, concealsDamage: concealsDamage)
    }

    /// Decodes one picture, whose headers are judged already.
    ///
    /// - Parameters:
    ///   - halvings: how often both sides are halved, rounding up: 0…3.
    /// - Returns: luma and colour differences as they are stored, or `gray8`, where swscale has a format for them; else
    ///   `rgb24`. Of four inks `PixelFormat.cmyk`, as they are stored.
    /// - Throws: `corrupt` for damage, also where the decoder could conceal it and is not asked to.
    func picture(_ bytes: Span<UInt8>, halvings: Int) throws(TranscodeFailure) -> Frame {
        var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(-1), Int32(-1))
        errno = 0
        let code = unsafe bytes.withUnsafeBufferPointer {
            unsafe tjDecompressHeader3(
                handle, $0.baseAddress, UInt($0.count), &width, &height, &sampling, &space)
        }
        // A sampling without a name there is an error, but not here: it gives red, green and blue all the same.
        if sampling >= 0 || width <= 0 || height <= 0 || space < 0 { try check(code) }
        let frameWidth = (Int(width) + (1 << halvings) - 1) >> halvings
        let frameHeight = (Int(height) + (1 << halvings) - 1) >> halvings
        switch space {
        case Int32(TJCS_CMYK.rawValue), Int32(TJCS_YCCK.rawValue):
            let frame = try Frame.allocate(width: frameWidth, height: frameHeight, format: PixelFormat.cmyk)
            try decode(bytes, into: frame, as: TJPF_CMYK)
            return frame
        case Int32(TJCS_YCbCr.rawValue), Int32(TJCS_GRAY.rawValue):
            guard let format = Self.format(of: sampling) else { break }
            let frame = try Frame.allocate(width: frameWidth, height: frameHeight, format: format)
            try decodePlanes(bytes, into: frame)
            unsafe frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
            return frame
        default: break
        }
        let frame = try Frame.allocate(width: frameWidth, height: frameHeight, format: AV_PIX_FMT_RGB24)
        try decode(bytes, into: frame, as: TJPF_RGB)
        return frame
    }

    private static func format(of sampling: Int32) -> AVPixelFormat? {
        switch sampling {
        case Int32(TJSAMP_GRAY.rawValue): AV_PIX_FMT_GRAY8
        case Int32(TJSAMP_420.rawValue): AV_PIX_FMT_YUVJ420P
        case Int32(TJSAMP_422.rawValue): AV_PIX_FMT_YUVJ422P
        case Int32(TJSAMP_440.rawValue): AV_PIX_FMT_YUVJ440P
        case Int32(TJSAMP_444.rawValue): AV_PIX_FMT_YUVJ444P
        default: nil
        }
    }

    /// The planes have room for whole blocks: `av_frame_get_buffer` rounds rows up to more than libjpeg-turbo's two.
    private func decodePlanes(_ bytes: Span<UInt8>, into frame: borrowing Frame) throws(TranscodeFailure) {
        var planes = unsafe frame.mutablePlanes
        var strides = unsafe frame.strides
        errno = 0
        let code = unsafe bytes.withUnsafeBufferPointer {
            unsafe tjDecompressToYUVPlanes(
                handle, $0.baseAddress, UInt($0.count), &planes, Int32(frame.width), &strides, Int32(frame.height), 0)
        }
        try check(code)
    }

    private func decode(_ bytes: Span<UInt8>, into frame: borrowing Frame, as format: TJPF) throws(TranscodeFailure) {
        errno = 0
        let code = unsafe bytes.withUnsafeBufferPointer {
            unsafe tjDecompress2(
                handle, $0.baseAddress, UInt($0.count), frame.mutablePlanes[0], Int32(frame.width), frame.strides[0],
                Int32(frame.height), Int32(format.rawValue), 0)
        }
        try check(code)
    }

    /// - Parameter code: of a call before which `errno` was 0.
    private func check(_ code: Int32) throws(TranscodeFailure) {
        guard code != 0 else { return }
        guard errno != ENOMEM else { throw FFmpegStatus.noMemory("decoding the JPEG") }
        let words = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "an unknown error"
        let isWarning = unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        if isWarning, concealsDamage || words.contains(Self.strayBytesAtTheEnd) { return }
        throw TranscodeFailure(.corrupt, "JPEG: \(words)")
    }

    /// Of the message JWRN_EXTRANEOUS_DATA before the end-of-image marker (0xD9). TurboJPEG has one code for all warnings,
    /// and no header tells of bytes that a scan does not need. Stray bytes there harm nothing; further forward they may
    /// hide other damage, as only the first warning is told (libjpeg-turbo 2.1.5).
    private static let strayBytesAtTheEnd = "extraneous bytes before marker 0xd9"
}
