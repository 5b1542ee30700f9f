import CFFmpeg
import Glibc
import TranscodeProtocol

/// The owner of an opened decoder. It uses one thread, limits the pixels, and reports errors, not concealing them.
@safe
struct Decoder: ~Copyable {
    private let pointer: UnsafeMutablePointer<AVCodecContext>

    deinit {
        var freeing: UnsafeMutablePointer<AVCodecContext>? = unsafe pointer
        unsafe avcodec_free_context(&freeing)
    }

    /// Opens a decoder for data without a container.
    ///
    /// - Parameter halvings: The number of times that a JPEG's sides are halved, 0…3; 0 for the other codecs.
    /// - Parameter mark: The value that the last two rows hold until they are decoded; `nil` leaves them unchanged.
    static func open(
        _ codec: AVCodecID, maxPixels: UInt64, halvings: Int = 0, mark: UInt8? = nil
    ) throws(TranscodeFailure) -> Decoder {
        let decoder = try make(codec, maxPixels: maxPixels)
        if let mark {
            unsafe decoder.pointer.pointee.opaque = UnsafeMutableRawPointer(bitPattern: UInt(mark))
            unsafe decoder.pointer.pointee.get_buffer2 = markLastRows
        }
        unsafe decoder.pointer.pointee.lowres = Int32(halvings)
        // A wrong checksum or code ends the decoding, because half an image is no rendition.
        unsafe decoder.pointer.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE
        try FFmpegStatus.check(unsafe avcodec_open2(decoder.pointer, nil, nil), "opening the decoder")
        return decoder
    }

    /// Opens a decoder for coded images whose configuration is stored elsewhere in the file.
    static func open(
        _ codec: AVCodecID, configuration: Range<Int>?, of source: borrowing MappedInput, maxPixels: UInt64
    ) throws(TranscodeFailure) -> Decoder {
        let decoder = try make(codec, maxPixels: maxPixels)
        if let configuration, configuration.lowerBound >= 0, configuration.upperBound <= source.count {
            let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
            guard let buffer = unsafe av_mallocz(configuration.count + padding) else {
                throw .noMemory("decoder configuration")
            }
            let bytes = unsafe buffer.assumingMemoryBound(to: UInt8.self)
            unsafe bytes.update(from: source.base + configuration.lowerBound, count: configuration.count)
            unsafe decoder.pointer.pointee.extradata = bytes
            unsafe decoder.pointer.pointee.extradata_size = Int32(clamping: configuration.count)
        }
        unsafe decoder.pointer.pointee.err_recognition = AV_EF_EXPLODE
        try FFmpegStatus.checkReading(unsafe avcodec_open2(decoder.pointer, nil, nil), "opening the decoder")
        return decoder
    }

    /// Opens the decoder of a stream.
    ///
    /// - Throws: `unsupported` for a codec that is not among `AllowedDecoders`.
    static func open(_ stream: MediaStream, maxPixels: UInt64) throws(TranscodeFailure) -> Decoder {
        let decoder = try make(stream.codec, maxPixels: maxPixels, mustBeAllowed: true)
        try FFmpegStatus.check(
            unsafe avcodec_parameters_to_context(decoder.pointer, stream.parameters), "stream parameters")
        unsafe decoder.pointer.pointee.pkt_timebase = stream.timeBase
        try FFmpegStatus.checkReading(unsafe avcodec_open2(decoder.pointer, nil, nil), "opening the decoder")
        return decoder
    }

    private static func make(
        _ codec: AVCodecID, maxPixels: UInt64, mustBeAllowed: Bool = false
    ) throws(TranscodeFailure) -> Decoder {
        guard let definition = unsafe avcodec_find_decoder(codec) else {
            throw .unsupported("no decoder for \(CodecName.of(codec))")
        }
        if mustBeAllowed, !AllowedDecoders.all.contains(unsafe String(cString: definition.pointee.name)) {
            throw .unsupported("\(CodecName.of(codec)) is not decoded")
        }
        guard let made = unsafe avcodec_alloc_context3(definition) else { throw .noMemory("decoder") }
        unsafe made.pointee.thread_count = 1
        unsafe made.pointee.max_pixels = Int64(clamping: maxPixels)
        return unsafe Decoder(pointer: made)
    }

    /// Keeps the samples at the start of a sound that the container's edit list hides.
    func showHiddenSamples() { unsafe pointer.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL }

    /// Sends a packet to the decoder.
    ///
    /// - Returns: `false` if the caller has to receive frames first.
    func send(_ packet: borrowing Packet) throws(TranscodeFailure) -> Bool {
        let code = unsafe avcodec_send_packet(pointer, packet.pointer)
        if code == agd_averror(EAGAIN) { return false }
        try FFmpegStatus.checkReading(code, "decoding")
        return true
    }

    /// Signals the end of the packets.
    func finish() throws(TranscodeFailure) {
        let code = unsafe avcodec_send_packet(pointer, nil)
        guard code != agd_averror_eof else { return }
        try FFmpegStatus.checkReading(code, "decoding")
    }

    /// Receives a decoded frame.
    ///
    /// - Returns: `false` if the decoder needs more packets or is at its end.
    func receive(into frame: borrowing Frame) throws(TranscodeFailure) -> Bool {
        let code = unsafe avcodec_receive_frame(pointer, frame.pointer)
        if code == agd_averror(EAGAIN) || code == agd_averror_eof { return false }
        try FFmpegStatus.checkReading(code, "decoding")
        return true
    }

    /// Drops all state of the decoder, so that decoding can start again at another key frame.
    func reset() { unsafe avcodec_flush_buffers(pointer) }

    /// Decodes a packet that holds one image.
    ///
    /// - Throws: `corrupt` if the packet gives no image or a damaged one.
    func image(of packet: borrowing Packet) throws(TranscodeFailure) -> Frame {
        let frame = try Frame.make()
        guard try send(packet) else { throw .internalFault("the decoder accepts no packet") }
        try finish()
        guard try receive(into: frame) else { throw .corrupt("the decoder returned no image") }
        guard !frame.isDamaged else { throw .corrupt("the image is damaged") }
        return frame
    }
}
