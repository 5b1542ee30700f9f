/// The streams of a video or audio file. A value is `nil` if the container does not state it and the worker has not
/// counted it.
package struct StreamReport: Sendable, Equatable {
    /// The name of the video codec in FFmpeg. It is ASCII, cut to `TranscodeWire.mostCodecBytes`.
    package var videoCodec: String?
    /// The frame rate, in thousandths of a frame per second.
    package var frameRate: UInt32?
    /// The name of the audio codec in FFmpeg. It is ASCII, cut to `TranscodeWire.mostCodecBytes`.
    package var audioCodec: String?
    /// The sample rate, in samples per second.
    package var sampleRate: UInt32?
    package var channels: UInt32?
    /// The bit rate of the whole file, in bits per second.
    package var bitRate: UInt64?

    package init(
        videoCodec: String? = nil, frameRate: UInt32? = nil, audioCodec: String? = nil, sampleRate: UInt32? = nil,
        channels: UInt32? = nil, bitRate: UInt64? = nil
    ) {
        self.videoCodec = videoCodec
        self.frameRate = frameRate
        self.audioCodec = audioCodec
        self.sampleRate = sampleRate
        self.channels = channels
        self.bitRate = bitRate
    }
}

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
    /// The number of frames, from the index or counted while the whole file was read; `nil` if it is unknown, and for
    /// an audio file.
    package var frames: UInt32?
    package var durationMilliseconds: UInt64?
    package var streams: StreamReport
    /// The reason why the sound was left out; `nil` if the video keeps its sound or has no sound.
    package var soundOmission: SoundOmission?
    /// Whether only the beginning of the video fits into the largest size that the profile allows.
    package var isCut: Bool

    package init(
        frames: UInt32? = nil, durationMilliseconds: UInt64? = nil, streams: StreamReport = StreamReport(),
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
    mutating func put(_ streams: StreamReport) {
        put(streams.videoCodec, upTo: TranscodeWire.mostCodecBytes)
        put(streams.frameRate)
        put(streams.audioCodec, upTo: TranscodeWire.mostCodecBytes)
        put(streams.sampleRate)
        put(streams.channels)
        put(streams.bitRate)
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
    mutating func streams() throws(WireError) -> StreamReport {
        StreamReport(
            videoCodec: try optionalText(upTo: TranscodeWire.mostCodecBytes), frameRate: try optional(UInt32.self),
            audioCodec: try optionalText(upTo: TranscodeWire.mostCodecBytes), sampleRate: try optional(UInt32.self),
            channels: try optional(UInt32.self), bitRate: try optional(UInt64.self))
    }

    mutating func source() throws(WireError) -> SourceReport {
        SourceReport(
            frames: try optional(UInt32.self), durationMilliseconds: try optional(UInt64.self), streams: try streams(),
            soundOmission: try flag() ? try code(SoundOmission.self) : nil, isCut: try flag())
    }
}
