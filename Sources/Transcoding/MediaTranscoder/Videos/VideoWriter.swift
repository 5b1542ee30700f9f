import Base
import CFFmpeg
import TranscodeProtocol

/// A writer of an MP4 file with an H.264 encoder. It takes frames and packets of the sound, and ends the file.
struct VideoWriter: ~Copyable {
    private let encoder: Encoder
    private let file: OutputFile
    private let muxer: Muxer
    private let packet: Packet
    private let video: Int32
    private var sound: SoundTrack?
    private let timeBase: AVRational
    private var firstTime: Int64?
    private var lastTime: Int64?
    private var lastDuration: Int64 = 0
    private(set) var frames = 0
    /// The number of frames that the encoder has returned.
    private var written: Int64 = 0
    /// Whether the end of the sound could not be decoded.
    private(set) var isSoundCut = false

    static func open(
        _ encoding: VideoEncoding, of format: MediaFormat, audio: MediaStream?, soundBitRate: Int64? = nil,
        file: OutputFile, limits: DecodeLimits
    ) throws(TranscodeFailure) -> VideoWriter {
        let encoder = try encoding.open()
        let muxer = try Muxer.open(file, as: .mp4)
        let video = try muxer.addStream(of: encoder)
        var sound: SoundTrack?
        if let audio {
            sound = try SoundTrack.addToVideo(audio, of: format, muxer, bitRate: soundBitRate, limits: limits)
        }
        try muxer.writeHeader()
        return VideoWriter(
            encoder: encoder, file: file, muxer: muxer, packet: try Packet.make(), video: video, sound: sound,
            timeBase: encoding.timeBase)
    }

    /// Encodes a frame of the encoding's size. A frame is dropped if its time is not later than that of the last one.
    ///
    /// - Parameter duration: The time for which the frame is shown; 0 if unknown. Only the last one matters.
    mutating func write(_ frame: borrowing Frame, at time: Int64, duration: Int64) throws(TranscodeFailure) {
        if let lastTime, time <= lastTime { return }
        firstTime = firstTime ?? time
        lastTime = time
        lastDuration = max(0, duration)
        frame.presentationTime = time
        unsafe frame.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
        frames += 1
        try encoder.send(frame)
        try drain()
    }

    /// Writes the sound of a packet of the source.
    mutating func writeSound(_ packet: borrowing Packet) throws(TranscodeFailure) {
        try sound?.write(packet, to: muxer)
    }

    /// Returns whether the file with its index might exceed a size with another frame.
    ///
    /// - Parameter most: The largest size of the file, in bytes.
    /// - Parameter frameBytes: The assumed minimum size of a frame that the encoder still holds, in bytes.
    func isFull(_ most: UInt64, frameBytes: Int64) -> Bool {
        // The index has a size, a time and a key flag for each frame, and about fifty entries for a second of sound.
        let index = 2_560 + Int64(frames) * 24 + Int64(milliseconds) * 600 / 1_000
        let mean = written > 0 ? muxer.position / written : 0
        return muxer.position + index + (Int64(frames) - written + 1) * max(mean, frameBytes) >= Int64(clamping: most)
    }

    /// The time from the first frame to the end of the last one, in milliseconds.
    var milliseconds: UInt64 {
        let end = (lastTime ?? 0).addingReportingOverflow(lastDuration).partialValue
        let length = end.subtractingReportingOverflow(firstTime ?? 0).partialValue
        return UInt64(max(0, av_rescale_q(length, timeBase, AVRational(num: 1, den: 1_000))))
    }

    /// Encodes the frames that the encoder still holds, and closes the file.
    ///
    /// - Throws: `corrupt` if there was no frame.
    mutating func finish() throws(TranscodeFailure) {
        guard frames > 0 else { throw .corrupt("the decoder returned no frame of the video") }
        try encoder.finish()
        try drain()
        try sound?.finish(muxer)
        isSoundCut = sound?.isCut ?? false
        try muxer.finish()
    }

    /// Returns the report of the finished file.
    func report(_ order: RenditionSpec, _ size: PixelSize) -> RenditionReport {
        RenditionReport(
            role: order.role, format: .mp4, width: UInt32(size.width), height: UInt32(size.height),
            bytes: UInt64(file.byteCount), frames: UInt32(clamping: frames), durationMilliseconds: muxer.milliseconds,
            streams: muxer.streams(frames: frames, milliseconds: muxer.milliseconds))
    }

    private mutating func drain() throws(TranscodeFailure) {
        while try encoder.receive(into: packet) {
            written += 1
            // MP4 computes the duration of each frame from the time of the next one. The last frame has no next one.
            unsafe packet.pointer.pointee.duration = lastDuration
            try muxer.write(packet, to: video, timeBase: timeBase)
        }
    }
}
