import CFFmpeg
import TranscodeProtocol

/// An H.264 encoder in front of an MP4 file: frames and copied sound packets in, a finished file out.
struct VideoWriter: ~Copyable {
    private let encoder: Encoder
    private let muxer: Muxer
    private let packet: Packet
    private let video: Int32
    private let audio: Int32?
    private let timeBase: AVRational
    private var lastTime: Int64?
    private var lastDuration: Int64 = 0
    private(set) var frames = 0

    private init(
        encoder: consuming Encoder, muxer: consuming Muxer, packet: consuming Packet, video: Int32, audio: Int32?,
        timeBase: AVRational
    ) {
        self.encoder = encoder
        self.muxer = muxer
        self.packet = packet
        self.video = video
        self.audio = audio
        self.timeBase = timeBase
    }

    static func open(
        _ encoding: VideoEncoding, audio: MediaStream?, file: OutputFile
    ) throws(TranscodeFailure) -> VideoWriter {
        let encoder = try encoding.open()
        let muxer = try Muxer.open(file)
        let video = try muxer.addStream(of: encoder)
        var audioIndex: Int32?
        if let audio { audioIndex = try muxer.addCopy(of: audio) }
        try muxer.writeHeader()
        return VideoWriter(
            encoder: encoder, muxer: muxer, packet: try Packet.make(), video: video, audio: audioIndex,
            timeBase: encoding.timeBase)
    }

    /// Encodes a frame of the encoding's size. Frames that do not come after the last one are left out.
    ///
    /// - Parameter duration: how long it is shown, 0 when unknown; decides for the last frame only.
    mutating func write(
        _ frame: borrowing Frame, at time: Int64, duration: Int64
    ) throws(TranscodeFailure) {
        if let lastTime, time <= lastTime { return }
        lastTime = time
        lastDuration = max(0, duration)
        frame.presentationTime = time
        unsafe frame.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
        frames += 1
        try encoder.send(frame)
        try drain()
    }

    /// Copies a packet of the sound.
    func copy(_ sound: borrowing Packet, timeBase: AVRational) throws(TranscodeFailure) {
        guard let audio else { return }
        try muxer.write(sound, to: audio, timeBase: timeBase)
    }

    /// When the last frame ends, in the encoding's time base.
    var endTime: Int64 {
        (lastTime ?? 0).addingReportingOverflow(lastDuration).partialValue
    }

    /// Encodes what is held back and closes the file.
    ///
    /// - Throws: `corrupt` when there was no frame.
    mutating func finish() throws(TranscodeFailure) {
        guard frames > 0 else { throw TranscodeFailure(.corrupt, "the video gave no picture") }
        try encoder.finish()
        try drain()
        try muxer.finish()
    }

    private func drain() throws(TranscodeFailure) {
        while try encoder.receive(into: packet) {
            // MP4 takes each frame's duration from the next one's time; the last has none.
            unsafe packet.pointer.pointee.duration = lastDuration
            try muxer.write(packet, to: video, timeBase: timeBase)
        }
    }
}
