/// The streams of a film or sound file. Values that the container does not give and nobody has counted are `nil`.
package struct StreamReport: Sendable, Equatable {
    /// FFmpeg's name of the codec. ASCII, cut at `TranscodeWire.mostCodecBytes`.
    package var videoCodec: String?
    /// Thousandths of a frame a second.
    package var frameRate: UInt32?
    /// As `videoCodec`.
    package var audioCodec: String?
    /// Samples a second.
    package var sampleRate: UInt32?
    package var channels: UInt32?
    /// Bits a second of the whole file.
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

/// Why a film is shown without its sound.
package enum SoundOmission: UInt8, Sendable, Equatable, CaseIterable {
    /// The codec is none that workers decode.
    case unsupported = 1
    /// The sound cannot be decoded.
    case unreadable
    /// The sound can be decoded up to a place, where it ends.
    case cut
}

/// The film or sound that renditions are made from.
package struct SourceReport: Sendable, Equatable {
    /// By the index, or counted where all of it was read; `nil`: unknown, or a sound.
    package var frames: UInt32?
    package var durationMilliseconds: UInt64?
    package var streams: StreamReport
    /// `nil`: the film is shown with its sound, or has none.
    package var soundOmission: SoundOmission?
    /// Whether only the beginning of the film fits the bytes of the profile.
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
