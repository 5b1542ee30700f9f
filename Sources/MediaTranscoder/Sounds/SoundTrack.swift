import CFFmpeg
import TranscodeProtocol

/// The sound of a source on its way into an MP4: copied where a phone plays its codec, else encoded as AAC.
struct SoundTrack: ~Copyable {
    private let track: Int32
    private let timeBase: AVRational
    /// `nil`: the packets are copied.
    private var encoding: SoundEncoding?

    private init(_ track: Int32, timeBase: AVRational, encoding: consuming SoundEncoding?) {
        self.track = track
        self.timeBase = timeBase
        self.encoding = encoding
    }

    /// Whether an MP4 takes the sound as it is.
    static func isCopied(_ stream: MediaStream) -> Bool {
        stream.codec == AV_CODEC_ID_AAC || stream.codec == AV_CODEC_ID_MP3
    }

    /// Adds the sound of a stream to a file.
    static func add(_ stream: MediaStream, to muxer: borrowing Muxer) throws(TranscodeFailure) -> SoundTrack {
        if isCopied(stream) {
            return SoundTrack(try muxer.addCopy(of: stream), timeBase: stream.timeBase, encoding: nil)
        }
        let encoding = try SoundEncoding.open(stream)
        return SoundTrack(try muxer.addStream(of: encoding.encoder), timeBase: stream.timeBase, encoding: encoding)
    }

    /// Writes what a packet of the source holds.
    mutating func write(_ packet: borrowing Packet, to muxer: borrowing Muxer) throws(TranscodeFailure) {
        guard encoding != nil else { return try muxer.write(packet, to: track, timeBase: timeBase) }
        try encoding?.encode(packet, into: muxer, track: track)
    }

    /// Writes what is held back.
    mutating func finish(_ muxer: borrowing Muxer) throws(TranscodeFailure) {
        try encoding?.finish(muxer, track: track)
    }
}
