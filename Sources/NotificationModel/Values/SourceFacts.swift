package import JSON

/// The streams of a film or sound file. Values that nobody has measured are `nil`.
package struct StreamFacts: Sendable, Equatable {
    /// FFmpeg's name of the codec, such as `h264`; `nil`: a sound.
    package var videoCodec: String?
    /// Frames a second, to the thousandth.
    package var frameRate: Double?
    /// FFmpeg's name of the codec, such as `aac`; `nil`: no sound.
    package var audioCodec: String?
    /// Samples a second.
    package var sampleRate: Int?
    package var channels: Int?
    /// Bits a second of the whole file.
    package var bitRate: Int?

    package init(
        videoCodec: String? = nil, frameRate: Double? = nil, audioCodec: String? = nil, sampleRate: Int? = nil,
        channels: Int? = nil, bitRate: Int? = nil
    ) {
        self.videoCodec = videoCodec
        self.frameRate = frameRate
        self.audioCodec = audioCodec
        self.sampleRate = sampleRate
        self.channels = channels
        self.bitRate = bitRate
    }
}

/// The film or sound that renditions were made from.
package struct SourceFacts: Sendable, Equatable {
    package var duration: Duration?
    /// Frames of the film; `nil`: unknown, or a sound.
    package var frames: Int?
    package var streams: StreamFacts
    /// The part that the renditions leave out, as a sentence for people; `nil`: nothing.
    package var omission: String?

    package init(
        duration: Duration? = nil, frames: Int? = nil, streams: StreamFacts = StreamFacts(), omission: String? = nil
    ) {
        self.duration = duration
        self.frames = frames
        self.streams = streams
        self.omission = omission
    }
}

/// As results, the index and archives have them.
extension StreamFacts {
    package var json: JSONValue {
        [
            "videoCodec": .text(videoCodec), "frameRate": .number(frameRate), "audioCodec": .text(audioCodec),
            "sampleRate": .number(sampleRate), "channels": .number(channels), "bitRate": .number(bitRate),
        ]
    }

    package init?(_ json: JSONValue?) {
        guard let object = json?.object else { return nil }
        self.init(
            videoCodec: object["videoCodec"]?.string, frameRate: object["frameRate"]?.double,
            audioCodec: object["audioCodec"]?.string, sampleRate: object["sampleRate"]?.count,
            channels: object["channels"]?.count, bitRate: object["bitRate"]?.count)
    }
}

/// As the index and archives have them.
extension SourceFacts {
    package var json: JSONValue {
        [
            "durationMs": .number(duration.map { Int($0.milliseconds) }), "frames": .number(frames),
            "streams": streams.json, "omission": .text(omission),
        ]
    }

    package init?(_ json: JSONValue?) {
        guard let object = json?.object, let streams = StreamFacts(object["streams"]) else { return nil }
        self.init(
            duration: object["durationMs"]?.count.map { .milliseconds($0) }, frames: object["frames"]?.count,
            streams: streams, omission: object["omission"]?.string)
    }
}

extension JSONValue {
    /// Other processes and versions write the index and archives.
    fileprivate var count: Int? { integer.flatMap { (0...(1 << 40)).contains($0) ? $0 : nil } }

    fileprivate static func number(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }
    fileprivate static func number(_ value: Double?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }
}
