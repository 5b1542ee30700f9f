import Base
import CFFmpeg
import Glibc
import TranscodeProtocol

/// The owner of a container that one explicit demuxer reads from the mapped input. The demuxer can open nothing else:
/// no protocol is permitted, and each request for another file is refused.
@safe
struct Demuxer: ~Copyable {
    private let pointer: UnsafeMutablePointer<AVFormatContext>
    private let io: IOContext
    private let kind: MediaFormat
    private let hasOpenEnd: Bool

    deinit {
        var closing: UnsafeMutablePointer<AVFormatContext>? = unsafe pointer
        unsafe avformat_close_input(&closing)
    }

    /// The part of a video, in microseconds, that is read to describe its streams if the header does not describe them.
    private static let probedMicroseconds: Int64 = 2_000_000

    /// Opens a container. The header is read. If the header does not describe the streams, the first packets are read,
    /// too. The source has to outlive the demuxer.
    ///
    /// - Parameter end: The number of bytes that are read; `nil` reads the whole source.
    static func open(
        _ source: borrowing MappedInput, as kind: MediaFormat, upTo end: Int? = nil
    ) throws(TranscodeFailure) -> Demuxer {
        guard let name = kind.demuxer, let format = unsafe av_find_input_format(name.description) else {
            throw .internalFault("this FFmpeg has no demuxer for \(kind)")
        }
        let io = try IOContext.reading(InputCursor(source, upTo: end))
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        for (key, value) in kind.demuxerOptions {
            try FFmpegStatus.check(unsafe av_dict_set(&options, key, value, 0), "demuxer option")
        }
        guard let made = unsafe avformat_alloc_context() else { throw .noMemory("demuxer") }
        unsafe made.pointee.pb = io.pointer
        unsafe made.pointee.io_open = refuseToOpen
        unsafe made.pointee.protocol_whitelist = av_strdup("none")
        unsafe made.pointee.codec_whitelist = av_strdup(AllowedDecoders.list)
        unsafe made.pointee.max_streams = 64
        unsafe made.pointee.max_analyze_duration = probedMicroseconds
        // On failure, FFmpeg frees the context itself.
        var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe made
        let code = unsafe avformat_open_input(&opened, nil, format, &options)
        try FFmpegStatus.checkReading(code, "reading the container")
        guard let opened = unsafe opened else { throw .noMemory("demuxer") }
        let demuxer = unsafe Demuxer(pointer: opened, io: io, kind: kind, hasOpenEnd: source.hasOpenEnd(as: kind))
        if kind.hasStreamsInPackets {
            try FFmpegStatus.checkReading(unsafe avformat_find_stream_info(opened, nil), "reading the streams")
        } else {
            for stream in demuxer.streams { stream.countChannels(in: source) }
        }
        return demuxer
    }

    var streamCount: Int { Int(unsafe pointer.pointee.nb_streams) }

    /// The duration of the whole file, in milliseconds; `nil` if the header does not state it.
    var durationMilliseconds: UInt64? {
        let duration = unsafe pointer.pointee.duration
        return duration > 0 ? UInt64(duration) / 1_000 : nil
    }

    func stream(_ index: Int) -> MediaStream? {
        guard (0..<streamCount).contains(index), let stream = unsafe pointer.pointee.streams[index] else { return nil }
        return unsafe MediaStream(stream)
    }

    var streams: [MediaStream] { (0..<streamCount).compactMap { stream($0) } }

    /// Discards the packets of all streams except `wanted`.
    func readOnly(_ wanted: [Int]) {
        for stream in streams where !wanted.contains(stream.index) { stream.discard() }
    }

    /// Reads the next packet.
    ///
    /// - Returns: `false` at the end.
    /// - Throws: `corrupt` for a packet that is cut or outside the file, `unsupported` for an encrypted one.
    func read(into packet: borrowing Packet) throws(TranscodeFailure) -> Bool {
        packet.clear()
        let code = unsafe av_read_frame(pointer, packet.pointer)
        if code == agd_averror_eof { return false }
        try FFmpegStatus.checkReading(code, "reading the container")
        // FFmpeg marks a packet of a broadcast as corrupt if the continuity counter jumps. The counter also jumps at a
        // place where two streams were joined. The decoder detects data that is really missing.
        guard !packet.isCorrupt || kind == .mpegTS || hasOpenEnd else {
            throw .corrupt("the container ends inside a packet")
        }
        guard !packet.isEncrypted else { throw .unsupported("the file is encrypted") }
        packet.delay(by: -start(of: Int(packet.streamIndex)))
        return true
    }

    /// Moves to the key frame at or before a time stamp of the stream.
    ///
    /// - Returns: `false` if there is no such key frame.
    func seek(_ stream: Int, to timestamp: Int64) -> Bool {
        let wanted = timestamp.addingReportingOverflow(start(of: stream)).partialValue
        return unsafe av_seek_frame(pointer, Int32(clamping: stream), wanted, AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Returns the time stamp of a stream at which the file begins. A broadcast may begin at any time. The result is 0
    /// for containers that begin at 0, and for those whose edit list defines the shown part.
    private func start(of index: Int) -> Int64 {
        let start = unsafe pointer.pointee.start_time
        guard kind.hasStreamsInPackets, start != agd_no_pts, let stream = stream(index) else { return 0 }
        return av_rescale_q(start, AVRational(num: 1, den: Int32(AV_TIME_BASE)), stream.timeBase)
    }
}
