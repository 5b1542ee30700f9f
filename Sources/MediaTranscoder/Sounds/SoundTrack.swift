import CFFmpeg
import TranscodeProtocol

/// The sound of a source on its way into a file: copied, or encoded as AAC.
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

    /// Whether phones play the sound in an MP4 as it is.
    static func isCopied(_ stream: MediaStream) -> Bool {
        stream.codec == AV_CODEC_ID_AAC || stream.codec == AV_CODEC_ID_MP3
    }

    /// Adds the sound of a stream to an MP4.
    static func addToFilm(
        _ stream: MediaStream, _ muxer: borrowing Muxer, limits: DecodeLimits
    ) throws(TranscodeFailure) -> SoundTrack {
        let bitRate = isCopied(stream) ? nil : SoundFormat(encoding: stream).bitRate
        return try add(stream, to: muxer, encodedWith: bitRate, limits: limits)
    }

    /// Adds the sound of a stream to a file.
    ///
    /// - Parameter bitRate: of AAC; `nil`: the sound is copied.
    static func add(
        _ stream: MediaStream, to muxer: borrowing Muxer, encodedWith bitRate: Int64?, limits: DecodeLimits
    ) throws(TranscodeFailure) -> SoundTrack {
        guard let bitRate else {
            return SoundTrack(try muxer.addCopy(of: stream), timeBase: stream.timeBase, encoding: nil)
        }
        let encoding = try SoundEncoding.open(stream, bitRate: bitRate, limits: limits)
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
