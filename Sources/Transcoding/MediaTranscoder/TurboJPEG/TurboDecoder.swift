import CFFmpeg
import CTurboJPEG
import Glibc
import TranscodeProtocol

/// The owner of a libjpeg-turbo decompressor, which decodes JPEGs of every coding, and can halve their sides.
@safe
struct TurboDecoder: ~Copyable {
    private let handle: tjhandle
    private let concealsDamage: Bool

    deinit { unsafe tjDestroy(handle) }

    /// Creates a libjpeg-turbo decoder.
    ///
    /// - Parameter concealsDamage: Whether a damaged image is returned, with gray in its damaged parts.
    static func make(concealsDamage: Bool = false) throws(TranscodeFailure) -> TurboDecoder {
        guard let handle = unsafe tjInitDecompress() else { throw .noMemory("JPEG decoder") }
        return unsafe TurboDecoder(handle: handle, concealsDamage: concealsDamage)
    }

    /// Decodes one image whose headers are already checked.
    ///
    /// - Parameter halvings: The number of times that both sides are halved, 0…3. Halving rounds up.
    /// - Returns: The stored luma and chroma, or `gray8`, if swscale has a format for them. `PixelFormat.cmyk` for
    ///   CMYK, as stored. `rgb24` for all others.
    /// - Throws: `corrupt` for damage. Damage that libjpeg-turbo can conceal fails too, unless `concealsDamage` is set.
    func image(_ bytes: Span<UInt8>, halvings: Int) throws(TranscodeFailure) -> Frame {
        var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(-1), Int32(-1))
        errno = 0
        let code = unsafe bytes.withUnsafeBufferPointer {
            unsafe tjDecompressHeader3(handle, $0.baseAddress, UInt($0.count), &width, &height, &sampling, &space)
        }
        // TurboJPEG reports an error for a sampling without a name, but decoding to red, green and blue works.
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

    /// Decodes to planes. `av_frame_get_buffer` rounds rows up by more than the two samples that libjpeg-turbo needs.
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

    /// Checks the result of a call.
    ///
    /// - Parameter code: The result of a call before which `errno` was 0.
    private func check(_ code: Int32) throws(TranscodeFailure) {
        guard code != 0 else { return }
        guard errno != ENOMEM else { throw .noMemory("decoding the JPEG") }
        let words = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "an unknown error"
        let isWarning = unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
        if isWarning, concealsDamage || words.contains(Self.strayBytesAtTheEnd) { return }
        throw .corrupt("JPEG: \(words)")
    }

    /// A part of the message JWRN_EXTRANEOUS_DATA for the end-of-image marker (0xD9). TurboJPEG has one code for all
    /// warnings, and no header counts the bytes that a scan needs. Stray bytes before that marker are harmless. Stray
    /// bytes at an earlier marker may hide other damage, because libjpeg-turbo 2.1.5 reports only the first warning.
    private static let strayBytesAtTheEnd = "extraneous bytes before marker 0xd9"
}

/// The owner of a libjpeg-turbo compressor.
@safe
struct TurboEncoder: ~Copyable {
    private let handle: tjhandle

    deinit { unsafe tjDestroy(handle) }

    static func make() throws(TranscodeFailure) -> TurboEncoder {
        guard let handle = unsafe tjInitCompress() else { throw .noMemory("JPEG encoder") }
        return unsafe TurboEncoder(handle: handle)
    }

    /// Returns a baseline JPEG with luma and chroma (4:2:0, full range), or with gray.
    ///
    /// The JPEG uses the standard Huffman tables (T.81, annex K.3). Tables for the image itself would save 3 % of the
    /// bytes, but take three times as long.
    ///
    /// - Parameter quality: The quality in libjpeg's scale, 1…100.
    func jpeg(_ frame: borrowing Frame, quality: Int) throws(TranscodeFailure) -> Packet {
        let sampling = Int32((frame.format == AV_PIX_FMT_GRAY8 ? TJSAMP_GRAY : TJSAMP_420).rawValue)
        let (width, height) = (Int32(frame.width), Int32(frame.height))
        // libjpeg-turbo reads pairs of luma samples. At an odd side, FFmpeg's buffers have room for it.
        if frame.format != AV_PIX_FMT_GRAY8 { frame.repeatLastLuma() }
        let packet = try Packet.make()
        try FFmpegStatus.check(
            unsafe av_new_packet(packet.pointer, Int32(clamping: tjBufSize(width, height, sampling))), "JPEG")
        var buffer = unsafe packet.pointer.pointee.data
        var count = UInt(packet.byteCount)
        var planes = unsafe frame.planes
        let strides = unsafe frame.strides
        let code = unsafe tjCompressFromYUVPlanes(
            handle, &planes, width, strides, height, sampling, &buffer, &count, Int32(quality),
            TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
        guard code == 0 else {
            let words = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "an unknown error"
            throw .internalFault("encoding a JPEG: \(words)")
        }
        unsafe av_shrink_packet(packet.pointer, Int32(clamping: count))
        return packet
    }
}
