import CFFmpeg
import TranscodeProtocol

/// The sound of a source on its way into a file: copied, or encoded as AAC.
struct SoundTrack: ~Copyable {
    private let track: Int32
    private let timeBase: AVRational
    /// `nil`: the packets are copied.
    private var encoding: SoundEncoding?
    /// A film is shown with the sound up to the place where it cannot be decoded; a sound file is refused.
    private var isOfFilm = false
    /// Time stamp of the last packet, in the time base of the source.
    private var last: Int64?
    /// Whether the sound has ended at a place from which on it cannot be decoded.
    private(set) var isCut = false

    private init(_ track: Int32, timeBase: AVRational, encoding: consuming SoundEncoding?) {
        self.track = track
        self.timeBase = timeBase
        self.encoding = encoding
    }

    /// Whether phones play the sound in an MP4 as it is.
    static func isCopied(_ stream: MediaStream) -> Bool {
        stream.codec == AV_CODEC_ID_AAC || stream.codec == AV_CODEC_ID_MP3
    }

    /// Decodes the first samples of a stream.
    ///
    /// - Throws: `corrupt` if there are none.
    static func checkBeginning(_ demuxer: borrowing Demuxer, stream index: Int) throws(TranscodeFailure) {
        guard let stream = demuxer.stream(index) else { return }
        demuxer.readOnly([index])
        let decoder = try Decoder.open(stream, mostPixels: 1)
        decoder.showHiddenSamples()
        let packet = try Packet.make()
        let frame = try Frame.make()
        let pauses = CodedPauses(of: stream)
        var fed = 0
        while fed < mostPackets, try demuxer.read(into: packet) {
            guard Int(packet.streamIndex) == index else { continue }
            fed += 1
            packet.show()
            do throws(TranscodeFailure) { _ = try decoder.send(packet) } catch {
                guard pauses.explain(error) else { throw error }
                continue
            }
            if try decoder.receive(into: frame) { return }
        }
        try decoder.finish()
        guard fed > 0, try decoder.receive(into: frame) else {
            throw TranscodeFailure(.corrupt, "the decoder returned no samples")
        }
    }

    /// Packets in which there must be samples.
    private static let mostPackets = 16

    /// Adds the sound of a stream to an MP4.
    ///
    /// - Parameters:
    ///   - format: of the source.
    ///   - bitRate: to encode it with; `nil`: it is copied if it can be.
    static func addToFilm(
        _ stream: MediaStream, of format: SourceFormat, _ muxer: borrowing Muxer, bitRate: Int64? = nil,
        limits: DecodeLimits
    ) throws(TranscodeFailure) -> SoundTrack {
        let bitRate = bitRate ?? (isCopied(stream) ? nil : SoundFormat(encoding: stream).bitRate)
        // An AVI has no times. Its demuxer computes them from a mean bit rate.
        var track = try add(stream, to: muxer, encodedWith: bitRate, keepsTimes: format != .avi, limits: limits)
        track.isOfFilm = true
        return track
    }

    /// Adds the sound of a stream to a file.
    ///
    /// - Parameters:
    ///   - bitRate: of AAC; `nil`: the sound is copied.
    ///   - keepsTimes: whether gaps between the packets of an encoded sound become silence.
    static func add(
        _ stream: MediaStream, to muxer: borrowing Muxer, encodedWith bitRate: Int64?, keepsTimes: Bool = false,
        limits: DecodeLimits
    ) throws(TranscodeFailure) -> SoundTrack {
        guard let bitRate else {
            return SoundTrack(try muxer.addCopy(of: stream), timeBase: stream.timeBase, encoding: nil)
        }
        let encoding = try SoundEncoding.open(stream, bitRate: bitRate, keepsTimes: keepsTimes, limits: limits)
        return SoundTrack(try muxer.addStream(of: encoding.encoder), timeBase: stream.timeBase, encoding: encoding)
    }

    /// Writes what a packet of the source holds.
    mutating func write(_ packet: borrowing Packet, to muxer: borrowing Muxer) throws(TranscodeFailure) {
        guard !isCut, isLater(packet) else { return }
        guard encoding != nil else { return try muxer.write(packet, to: track, timeBase: timeBase) }
        do throws(TranscodeFailure) {
            try encoding?.encode(packet, into: muxer, track: track)
        } catch {
            guard isOfFilm, [.corrupt, .unsupported].contains(error.code) else { throw error }
            isCut = true
        }
    }

    /// Whether a packet is written. A packet of a film that goes back in time is left out: a gap is hardly heard. Containers
    /// may round the times of two short packets to the same millisecond, which matters only to a copy.
    private mutating func isLater(_ packet: borrowing Packet) -> Bool {
        let time = packet.decodingTime
        guard isOfFilm, time != agd_no_pts else { return true }
        if let last, time < last || time == last && encoding == nil { return false }
        last = time
        return true
    }

    /// Writes what is held back.
    mutating func finish(_ muxer: borrowing Muxer) throws(TranscodeFailure) {
        guard !isCut else { return }
        try encoding?.finish(muxer, track: track)
    }
}
