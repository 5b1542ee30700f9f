package import Base

/// The facts about the video or audio source of renditions.
package struct SourceFacts: Sendable, Equatable {
    package var duration: Duration?
    /// The number of frames of the video; `nil` if it is unknown, or if the source is a sound.
    package var frames: Int?
    package var streams: StreamFacts
    /// A sentence for people about the part that the renditions leave out; `nil` if they leave out nothing.
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

/// The JSON of the facts in results, in the index and in archives.
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

/// The JSON of the facts in the index and in archives.
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
    /// The integer from 0 to 2^40; `nil` for other values, which other versions may have written.
    fileprivate var count: Int? { integer.flatMap { (0...(1 << 40)).contains($0) ? $0 : nil } }

    static func number(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }
    static func number(_ value: Double?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }
}
