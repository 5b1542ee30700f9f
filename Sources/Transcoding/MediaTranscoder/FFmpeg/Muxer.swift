import Base
import CFFmpeg
import Glibc
import TranscodeProtocol

/// The owner of a video or sound file that is being written. The file has no metadata and does not differ between runs.
/// The index of an MP4 comes first.
@safe
struct Muxer: ~Copyable {
    private let pointer: UnsafeMutablePointer<AVFormatContext>
    private let io: IOContext
    private let file: OutputFile
    /// The muxer's second view of the file. FFmpeg holds an unretained reference to it.
    private let reader: OutputReader
    private let end = WrittenEnd()

    deinit { unsafe avformat_free_context(pointer) }

    /// Creates a muxer that writes to a file.
    ///
    /// - Throws: `internalFault` for an image format.
    static func open(_ file: OutputFile, as format: MediaFormat) throws(TranscodeFailure) -> Muxer {
        guard let name = format.muxer else { throw .internalFault("\(format) is not a video or a sound") }
        let io = try IOContext.writing(file)
        var made: UnsafeMutablePointer<AVFormatContext>?
        try FFmpegStatus.check(unsafe avformat_alloc_output_context2(&made, nil, name.description, nil), "muxer")
        guard let made = unsafe made else { throw .noMemory("muxer") }
        let reader = OutputReader(file)
        let muxer = unsafe Muxer(pointer: made, io: io, file: file, reader: reader)
        unsafe made.pointee.pb = muxer.io.pointer
        unsafe made.pointee.opaque = Unmanaged.passUnretained(reader).toOpaque()
        // To move the index to the front, the muxer opens the file again by its name, and reads its output back.
        unsafe made.pointee.io_open = openOutputAgain
        unsafe made.pointee.io_close2 = closeOutputAgain
        unsafe made.pointee.flags |= AVFMT_FLAG_BITEXACT
        for (key, value) in format.muxerOptions {
            try FFmpegStatus.check(unsafe av_opt_set(made.pointee.priv_data, key, value, 0), "muxer option")
        }
        return muxer
    }

    /// Adds a stream whose packets are copied. The display matrix is copied too. Other side data and names are omitted.
    func addCopy(of source: MediaStream) throws(TranscodeFailure) -> Int32 {
        guard let stream = unsafe avformat_new_stream(pointer, nil) else { throw .noMemory("stream") }
        try FFmpegStatus.check(unsafe avcodec_parameters_copy(stream.pointee.codecpar, source.parameters), "stream")
        unsafe stream.pointee.time_base = source.timeBase
        unsafe stream.pointee.avg_frame_rate = source.averageFrameRate
        // The MP4 muxer takes the aspect ratio from the parameters, but demuxers do not store it there.
        let aspect = unsafe source.pointer.pointee.sample_aspect_ratio
        if aspect.num > 0, aspect.den > 0 { unsafe stream.pointee.codecpar.pointee.sample_aspect_ratio = aspect }
        unsafe stream.pointee.sample_aspect_ratio = stream.pointee.codecpar.pointee.sample_aspect_ratio
        // iOS plays HEVC only with the tag that states that the parameter sets are in the header.
        let isHEVC = source.codec == AV_CODEC_ID_HEVC
        unsafe stream.pointee.codecpar.pointee.codec_tag = isHEVC ? Self.tagHVC1 : 0
        var size = 0
        if let matrix = unsafe av_stream_get_side_data(source.pointer, AV_PKT_DATA_DISPLAYMATRIX, &size) {
            guard let copy = unsafe av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size) else {
                throw .noMemory("stream")
            }
            unsafe copy.update(from: matrix, count: size)
        }
        return unsafe stream.pointee.index
    }

    /// The tag "hvc1", with its first letter in the lowest byte.
    private static let tagHVC1: UInt32 = 0x3163_7668

    /// Adds a stream for the packets of an encoder.
    func addStream(of encoder: borrowing Encoder) throws(TranscodeFailure) -> Int32 {
        guard let stream = unsafe avformat_new_stream(pointer, nil) else { throw .noMemory("stream") }
        try FFmpegStatus.check(
            unsafe avcodec_parameters_from_context(stream.pointee.codecpar, encoder.pointer), "stream")
        unsafe stream.pointee.time_base = encoder.pointer.pointee.time_base
        unsafe stream.pointee.avg_frame_rate = encoder.pointer.pointee.framerate
        return unsafe stream.pointee.index
    }

    /// Returns a description of the written streams. The file has to be finished.
    ///
    /// - Parameter frames: The number of frames; `nil` if they were not counted.
    /// - Parameter milliseconds: The duration of the file; `nil` if it is unknown.
    func streams(frames: Int?, milliseconds: UInt64?) -> StreamFacts {
        var (video, audio) = (nil as MediaStream?, nil as MediaStream?)
        for index in 0..<Int(unsafe pointer.pointee.nb_streams) {
            guard let stream = unsafe pointer.pointee.streams[index].map({ unsafe MediaStream($0) }) else { continue }
            if stream.isVideo { video = stream } else { audio = stream }
        }
        return StreamFacts(
            video: video, audio: audio, frames: frames, milliseconds: milliseconds, byteCount: Int(file.byteCount))
    }

    func writeHeader() throws(TranscodeFailure) {
        let code = unsafe avformat_write_header(pointer, nil)
        try file.checkWrites()
        guard code >= 0 else { throw .unsupported("the container does not accept these streams (\(code))") }
    }

    /// Writes a packet and clears it.
    func write(_ packet: borrowing Packet, to stream: Int32, timeBase: AVRational) throws(TranscodeFailure) {
        let code = try send(packet, to: stream, timeBase: timeBase)
        guard code >= 0 else { throw .corrupt("the container does not accept these time stamps (\(code))") }
    }

    /// Writes a packet and clears it, like `write`.
    ///
    /// - Returns: A negative code if the container does not accept the time stamps.
    func send(_ packet: borrowing Packet, to stream: Int32, timeBase: AVRational) throws(TranscodeFailure) -> Int32 {
        guard let target = unsafe pointer.pointee.streams[Int(stream)] else { return 0 }
        unsafe packet.pointer.pointee.stream_index = stream
        unsafe packet.pointer.pointee.pos = -1
        unsafe av_packet_rescale_ts(packet.pointer, timeBase, target.pointee.time_base)
        end.note(packet, unsafe target.pointee.time_base)
        let code = unsafe av_interleaved_write_frame(pointer, packet.pointer)
        try file.checkWrites()
        return code
    }

    /// The duration of the file in milliseconds, which is that of its longest stream.
    var milliseconds: UInt64 { UInt64(max(0, end.microseconds / 1_000)) }

    /// The number of bytes that are written so far, without the index.
    var position: Int64 { unsafe avio_seek(io.pointer, 0, SEEK_CUR) }

    /// Writes the packets that are buffered, and moves the index to the front.
    func finish() throws(TranscodeFailure) {
        let code = unsafe av_write_trailer(pointer)
        try file.checkWrites()
        try FFmpegStatus.check(code, "finishing the file")
        try FFmpegStatus.check(unsafe io.pointer.pointee.error, "finishing the file")
    }
}

/// The latest end of a video frame or of samples in a file.
private final class WrittenEnd {
    private(set) var microseconds: Int64 = 0

    /// Moves the end to the end of a packet, if the packet ends later.
    ///
    /// - Parameter timeBase: The time base of the packet's time stamps.
    func note(_ packet: borrowing Packet, _ timeBase: AVRational) {
        let time = unsafe packet.pointer.pointee.pts
        guard time != agd_no_pts else { return }
        let end = time.addingReportingOverflow(max(0, unsafe packet.pointer.pointee.duration)).partialValue
        microseconds = max(microseconds, av_rescale_q(end, timeBase, AVRational(num: 1, den: 1_000_000)))
    }
}
