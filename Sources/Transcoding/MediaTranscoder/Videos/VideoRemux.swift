import Base
import CFFmpeg
import TranscodeProtocol

/// The remuxing of a video. The coded streams and the display matrix are copied to a new MP4 without metadata.
enum VideoRemux {
    /// Writes a copy of the video.
    ///
    /// - Returns: `nil` if an MP4 cannot hold the coded video unchanged. The size of its frames may change, an edit
    ///   list may hide a frame between others, or the time stamps may start again or go back.
    static func write(
        _ source: borrowing MappedInput, facts: VideoFacts, order: RenditionSpec, output: Int32, limits: DecodeLimits
    ) throws(TranscodeFailure) -> RenditionReport? {
        let demuxer = try Demuxer.open(source, as: facts.format)
        guard let video = demuxer.stream(facts.video) else { throw .internalFault("the video stream is missing") }
        demuxer.readOnly([facts.video] + [facts.audio].compactMap { $0 })
        let file = try OutputFile(output, maxBytes: order.videoBytes)
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
            guard damagedVideo.count(packet) else { continue }
            switch Int(packet.streamIndex) {
            case facts.video:
                // No shown frame depends on packets after the last counted one.
                if facts.format.container == .mp4, facts.packets > 0, packets == facts.packets { continue }
                packets += 1
                guard !packet.isHidden || frames == 0 else { return nil }
                if !packet.isHidden { frames += 1 }
                guard parameters.note(in: packet) else { return nil }
                guard try muxer.send(packet, to: track, timeBase: video.timeBase) >= 0 else { return nil }
            case facts.audio: try sound?.write(packet, to: muxer)
            default: continue
            }
        }
        try sound?.finish(muxer)
        damagedVideo.finish(packets: packets)
        let damage = try damagedVideo.damage(frames: frames, milliseconds: muxer.milliseconds)
        guard frames > 0 else { throw .corrupt("the video has no frames") }
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

/// A check that all key frames of a video have the same sequence parameter set (ITU-T H.264, 7.3.2.1; H.265, 7.3.2.2).
/// Only the packets of MPEG streams carry sets that matter. In other containers the set of the header is used.
struct ParameterSetWatch {
    private let codec: AVCodecID
    private let isWatching: Bool
    private var first: [UInt8] = []

    init(_ stream: MediaStream, in format: MediaFormat) {
        codec = stream.codec
        isWatching = format == .mpegTS || format == .mpegPS
    }

    /// Notes the first sequence parameter set, and returns whether the packet has no other one.
    mutating func note(in packet: borrowing Packet) -> Bool {
        guard isWatching, packet.isKey else { return true }
        let set = packet.withBytes { sequenceParameterSet(in: $0) }
        guard !set.isEmpty else { return true }
        if first.isEmpty { first = set }
        return set == first
    }

    /// Returns the first set after a start code (ITU-T H.264, annex B). The result is empty if the packet has no set.
    private func sequenceParameterSet(in bytes: Span<UInt8>) -> [UInt8] {
        var start: Int?
        var index = 0
        while index + 3 < bytes.count {
            guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] <= 1 else {
                index += 1
                continue
            }
            if let start { return (start..<index).map { bytes[$0] } }
            guard bytes[index + 2] == 1 else {
                index += 1
                continue
            }
            if isParameterSet(bytes[index + 3]) { start = index + 3 }
            // The sets come before the coded picture, so its bytes are not searched.
            if isImage(bytes[index + 3]) { return [] }
            index += 3
        }
        return []
    }

    private func isParameterSet(_ header: UInt8) -> Bool {
        codec == AV_CODEC_ID_HEVC ? header >> 1 & 0x3F == 33 : header & 0x1F == 7
    }

    private func isImage(_ header: UInt8) -> Bool {
        codec == AV_CODEC_ID_HEVC ? header >> 1 & 0x3F < 32 : (1...5).contains(header & 0x1F)
    }
}

/// The coded videos that a phone plays without encoding them again (Apple, HLS authoring specification, 1.1 to 1.7).
enum PlayableVideo {
    /// Returns whether the stream is H.264 of 8 bits and 4:2:0 up to High, or HEVC Main or Main 10. A video in an AVI
    /// is not copied, because an AVI states when a frame is decoded, but not when it is shown.
    static func isPlayable(_ stream: MediaStream, in format: MediaFormat) -> Bool {
        guard format != .avi, let profile = profile(stream) else { return false }
        return switch stream.codec {
        case AV_CODEC_ID_H264: [66, 77, 88, 100].contains(profile)
        case AV_CODEC_ID_HEVC: (1...2).contains(profile)
        default: false
        }
    }

    /// Returns the profile of the decoder configuration record (ISO 14496-15, 5.3.3 and 8.3.3), whose first byte is 1.
    /// If the parameter sets are in the packets, FFmpeg has read it there. `nil` if it is unknown.
    private static func profile(_ stream: MediaStream) -> Int? {
        let size = Int(unsafe stream.parameters.pointee.extradata_size)
        guard size >= 2, let record = unsafe stream.parameters.pointee.extradata, unsafe record[0] == 1 else {
            // The upper bits of FFmpeg's value hold constraints.
            let profile = unsafe stream.parameters.pointee.profile
            return profile > 0 ? Int(profile & 0xFF) : nil
        }
        let byte = Int(unsafe record[1])
        // The upper bits of the HEVC byte hold the profile space and the tier.
        return stream.codec == AV_CODEC_ID_HEVC ? byte & 0x1F : byte
    }
}
