import CFFmpeg
import CTurboJPEG
import TranscodeProtocol

/// Owns a libjpeg-turbo compressor.
@safe
struct TurboEncoder: ~Copyable {
    private let handle: tjhandle

    private init(_ handle: tjhandle) {
        unsafe self.handle = handle
    }

    deinit { unsafe tjDestroy(handle) }

    static func make() throws(TranscodeFailure) -> TurboEncoder {
        guard let handle = unsafe tjInitCompress() else { throw FFmpegStatus.noMemory("JPEG encoder") }
        return unsafe TurboEncoder(handle)
    }

    /// A baseline JPEG of luma and colour differences (4:2:0, full range), or of grey.
    ///
    /// With the usual Huffman tables (T.81, annex K.3): those of the picture's own would take three bytes of a hundred
    /// less, and three times as long.
    ///
    /// - Parameter quality: libjpeg's, 1…100.
    func jpeg(_ frame: borrowing Frame, quality: Int) throws(TranscodeFailure) -> Packet {
        let sampling = Int32((frame.format == AV_PIX_FMT_GRAY8 ? TJSAMP_GRAY : TJSAMP_420).rawValue)
        let (width, height) = (Int32(frame.width), Int32(frame.height))
        // Whole pairs of luma are read: FFmpeg's buffers have room for the last ones, but nobody has written them.
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
            throw TranscodeFailure(.internalFault, "encoding a JPEG: \(words)")
        }
        unsafe av_shrink_packet(packet.pointer, Int32(clamping: count))
        return packet
    }
}
