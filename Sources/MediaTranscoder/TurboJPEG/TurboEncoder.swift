import CFFmpeg
import CTurboJPEG
import TranscodeProtocol

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
