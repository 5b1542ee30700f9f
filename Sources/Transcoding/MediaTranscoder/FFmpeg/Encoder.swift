import CFFmpeg
import Glibc
import TranscodeProtocol

/// The owner of an opened encoder. It uses one thread, and does not write its name and version into the output.
@safe
struct Encoder: ~Copyable {
    let pointer: UnsafeMutablePointer<AVCodecContext>

    deinit {
        var freeing: UnsafeMutablePointer<AVCodecContext>? = unsafe pointer
        unsafe avcodec_free_context(&freeing)
    }

    /// Opens an encoder for images of one size and format.
    ///
    /// - Parameter options: The options of the encoder and of all codecs, by name.
    /// - Parameter configure: Sets the fields that are specific to the codec, before the encoder is opened.
    static func open(
        _ name: StaticString, width: Int, height: Int, format: AVPixelFormat, options: [(String, String)],
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
    ) throws(TranscodeFailure) -> Encoder {
        let encoder = try make(name)
        let made = unsafe encoder.pointer
        unsafe made.pointee.width = Int32(clamping: width)
        unsafe made.pointee.height = Int32(clamping: height)
        unsafe made.pointee.pix_fmt = format
        unsafe made.pointee.time_base = AVRational(num: 1, den: 25)
        unsafe configure(made)
        for (key, value) in options {
            try FFmpegStatus.check(unsafe av_opt_set(made, key, value, AV_OPT_SEARCH_CHILDREN), "encoder option")
        }
        try FFmpegStatus.check(unsafe avcodec_open2(made, nil, nil), "opening the encoder")
        return encoder
    }

    private static func make(_ name: StaticString) throws(TranscodeFailure) -> Encoder {
        guard let definition = unsafe avcodec_find_encoder_by_name(name.description) else {
            throw .internalFault("this FFmpeg has no encoder \(name)")
        }
        guard let made = unsafe avcodec_alloc_context3(definition) else { throw .noMemory("encoder") }
        unsafe made.pointee.thread_count = 1
        unsafe made.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        return unsafe Encoder(pointer: made)
    }

    /// Opens an encoder for AAC, low complexity.
    static func openSound(_ format: SoundFormat, bitRate: Int64) throws(TranscodeFailure) -> Encoder {
        let encoder = try make("aac")
        let made = unsafe encoder.pointer
        unsafe made.pointee.sample_fmt = SoundFormat.samples
        unsafe made.pointee.sample_rate = format.sampleRate
        unsafe av_channel_layout_default(&made.pointee.ch_layout, format.channels)
        unsafe made.pointee.bit_rate = bitRate
        unsafe made.pointee.time_base = AVRational(num: 1, den: format.sampleRate)
        // MP4 stores the codec configuration in its header.
        unsafe made.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        try FFmpegStatus.check(unsafe avcodec_open2(made, nil, nil), "opening the encoder")
        return encoder
    }

    /// Sends a frame to the encoder.
    func send(_ frame: borrowing Frame) throws(TranscodeFailure) {
        try FFmpegStatus.check(unsafe avcodec_send_frame(pointer, frame.pointer), "encoding")
    }

    /// Signals the end of the frames.
    func finish() throws(TranscodeFailure) {
        try FFmpegStatus.check(unsafe avcodec_send_frame(pointer, nil), "encoding")
    }

    /// Receives an encoded packet.
    ///
    /// - Returns: `false` if the encoder needs more frames or is at its end.
    func receive(into packet: borrowing Packet) throws(TranscodeFailure) -> Bool {
        let code = unsafe avcodec_receive_packet(pointer, packet.pointer)
        if code == agd_averror(EAGAIN) || code == agd_averror_eof { return false }
        try FFmpegStatus.check(code, "encoding")
        return true
    }

    /// Encodes one still image.
    func packet(of frame: borrowing Frame) throws(TranscodeFailure) -> Packet {
        let packet = try Packet.make()
        try send(frame)
        try finish()
        guard try receive(into: packet) else { throw .internalFault("the encoder returned no image") }
        return packet
    }
}
