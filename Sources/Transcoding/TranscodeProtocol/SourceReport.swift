package import Base

/// The reason why a video is shown without its sound.
package enum SoundOmission: UInt8, Sendable, Equatable, CaseIterable {
    /// The worker has no decoder for the codec.
    case unsupported = 1
    /// The sound cannot be decoded.
    case unreadable
    /// The sound can be decoded only up to some point of the video.
    case cut
}

/// The video or audio file from which renditions are made.
package struct SourceReport: Sendable, Equatable {
    /// The number of frames, from the index or counted in the whole file; `nil` if unknown, and for an audio file.
    package var frames: UInt32?
    package var durationMilliseconds: UInt64?
    package var streams: StreamFacts
    /// The reason why the sound was left out; `nil` if the video keeps its sound or has no sound.
    package var soundOmission: SoundOmission?
    /// Whether only the beginning of the video fits into the largest size that the profile allows.
    package var isCut: Bool

    package init(
        frames: UInt32? = nil, durationMilliseconds: UInt64? = nil, streams: StreamFacts = StreamFacts(),
        soundOmission: SoundOmission? = nil, isCut: Bool = false
    ) {
        self.frames = frames
        self.durationMilliseconds = durationMilliseconds
        self.streams = streams
        self.soundOmission = soundOmission
        self.isCut = isCut
    }
}

extension WireWriter {
    mutating func put(_ streams: StreamFacts) {
        put(streams.videoCodec, upTo: TranscodeWire.maxCodecBytes)
        put(streams.frameRate.flatMap { UInt32(exactly: ($0 * 1_000).rounded()) })
        put(streams.audioCodec, upTo: TranscodeWire.maxCodecBytes)
        put(streams.sampleRate.flatMap { UInt32(exactly: $0) })
        put(streams.channels.flatMap { UInt32(exactly: $0) })
        put(streams.bitRate.flatMap { UInt64(exactly: $0) })
    }

    mutating func put(_ source: SourceReport) {
        put(source.frames)
        put(source.durationMilliseconds)
        put(source.streams)
        put(source.soundOmission?.rawValue)
        put(source.isCut)
    }
}

extension WireReader {
    mutating func streams() throws(WireError) -> StreamFacts {
        StreamFacts(
            videoCodec: try optionalText(upTo: TranscodeWire.maxCodecBytes),
            frameRate: try optional(UInt32.self).map { Double($0) / 1_000 },
            audioCodec: try optionalText(upTo: TranscodeWire.maxCodecBytes),
            sampleRate: try optional(UInt32.self).map { Int($0) }, channels: try optional(UInt32.self).map { Int($0) },
            bitRate: try optional(UInt64.self).map { Int(clamping: $0) })
    }

    mutating func source() throws(WireError) -> SourceReport {
        SourceReport(
            frames: try optional(UInt32.self), durationMilliseconds: try duration(), streams: try streams(),
            soundOmission: try flag() ? try code(SoundOmission.self) : nil, isCut: try flag())
    }
}
