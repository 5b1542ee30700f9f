import CFFmpeg
import MediaTypes
import TranscodeProtocol

/// The remuxing of a video. The coded video and its sound are copied to a new MP4, with the index first and without
/// metadata. The display matrix is kept.
enum VideoRemux {
    /// Writes a copy of the video.
    ///
    /// - Returns: `nil` if an MP4 cannot hold the coded video unchanged. This is true if the size of its frames
    ///   changes, or if an edit list hides a frame between others. It is also true if the time stamps start again or go
    ///   back.
    static func write(
        _ source: borrowing MappedInput, facts: VideoFacts, order: RenditionSpec, output: Int32, limits: DecodeLimits
    ) throws(TranscodeFailure) -> RenditionReport? {
        let demuxer = try Demuxer.open(source, as: facts.format)
        guard let video = demuxer.stream(facts.video) else {
            throw TranscodeFailure(.internalFault, "the video stream is missing")
        }
        demuxer.readOnly([facts.video] + [facts.audio].compactMap { $0 })
        let file = try OutputFile(output, mostBytes: order.videoBytes)
        let muxer = try Muxer.open(file, as: .mp4)
        let track = try muxer.addCopy(of: video)
        var sound: SoundTrack?
        if let audio = facts.audio.flatMap({ demuxer.stream($0) }) {
            sound = try SoundTrack.addToVideo(audio, of: facts.format, muxer, limits: limits)
        }
        try muxer.writeHeader()
        let packet = try Packet.make()
        var (packets, frames) = (0, 0)
        var parameters = ParameterSetWatch(video, in: facts.format)
        var line = TimeLine(of: facts.format)
        var damagedVideo = try DamagedVideo(facts, source)
        while try damagedVideo.read(demuxer, into: packet) {
            if let stream = facts.shownStream(of: packet, in: demuxer) { line.place(packet, of: stream) }
            guard !line.hasJumped else { return nil }
            guard damagedVideo.isWhole(packet) else { continue }
            switch Int(packet.streamIndex) {
            case facts.video:
                // No shown frame depends on packets after the last counted one.
                if facts.format.container == .mp4, facts.packets > 0, packets == facts.packets { continue }
                packets += 1
                guard !packet.isHidden || frames == 0 else { return nil }
                if !packet.isHidden { frames += 1 }
                guard parameters.isUnchanged(by: packet) else { return nil }
                guard try muxer.accepts(packet, to: track, timeBase: video.timeBase) else { return nil }
            case facts.audio: try sound?.write(packet, to: muxer)
            default: continue
            }
        }
        try sound?.finish(muxer)
        damagedVideo.finish(packets: packets)
        let damage = try damagedVideo.damage(frames: frames, milliseconds: muxer.milliseconds)
        guard frames > 0 else { throw TranscodeFailure(.corrupt, "the video has no frames") }
        var source = facts.source
        if damage == nil { source.frames = UInt32(clamping: frames) }
        if sound?.isCut == true { source.soundOmission = .cut }
        try muxer.finish()
        let size = facts.uprightSize
        return RenditionReport(
            role: order.role, format: .mp4, width: UInt32(size.width), height: UInt32(size.height),
            bytes: UInt64(file.byteCount), frames: UInt32(clamping: frames),
            durationMilliseconds: muxer.milliseconds, damage: damage,
            streams: muxer.streams(frames: frames, milliseconds: muxer.milliseconds), source: source)
    }
}
