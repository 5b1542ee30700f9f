import Base
import CFFmpeg
import TranscodeProtocol

/// The sound of a source that is written to a file, as a copy or encoded as AAC.
struct SoundTrack: ~Copyable {
    private let track: Int32
    private let timeBase: AVRational
    /// The encoding; `nil` if the packets are copied.
    private var encoding: SoundEncoding?
    /// Whether the sound belongs to a video. If its decoding fails, the sound before is kept, unlike in a sound file.
    private var isOfVideo = false
    /// The time stamp of the last packet, in the time base of the source; `nil` before the first one.
    private var last: Int64?
    /// Whether the sound ended early because the rest cannot be decoded.
    private(set) var isCut = false

    /// Returns whether phones play the sound in an MP4 without encoding.
    static func isCopied(_ stream: MediaStream) -> Bool {
        stream.codec == AV_CODEC_ID_AAC || stream.codec == AV_CODEC_ID_MP3
    }

    /// Decodes the first samples of a stream.
    ///
    /// - Throws: `corrupt` if the stream has no samples that can be decoded.
    static func checkBeginning(_ demuxer: borrowing Demuxer, stream index: Int) throws(TranscodeFailure) {
        guard let stream = demuxer.stream(index) else { return }
        demuxer.readOnly([index])
        let decoder = try Decoder.open(stream, maxPixels: 1)
        decoder.showHiddenSamples()
        let packet = try Packet.make()
        let frame = try Frame.make()
        let pauses = CodedPauses(of: stream)
        var fed = 0
        while fed < maxPackets, try demuxer.read(into: packet) {
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
        guard fed > 0, try decoder.receive(into: frame) else { throw .corrupt("the decoder returned no samples") }
    }

    /// The number of packets in which the first samples must be found.
    private static let maxPackets = 16

    /// Adds the audio stream of a video to an MP4.
    ///
    /// - Parameter format: The format of the source.
    /// - Parameter bitRate: The bit rate for encoding, in bits per second; `nil` copies a sound that phones play.
    static func addToVideo(
        _ stream: MediaStream, of format: MediaFormat, _ muxer: borrowing Muxer, bitRate: Int64? = nil,
        limits: DecodeLimits
    ) throws(TranscodeFailure) -> SoundTrack {
        let bitRate = bitRate ?? (isCopied(stream) ? nil : SoundFormat(encoding: stream).bitRate)
        // An AVI has no times. Its demuxer computes them from a mean bit rate.
        var track = try add(stream, to: muxer, encodedWith: bitRate, keepsTimes: format != .avi, limits: limits)
        track.isOfVideo = true
        return track
    }

    /// Adds an audio stream to a file.
    ///
    /// - Parameter bitRate: The bit rate of AAC, in bits per second; `nil` copies the sound.
    /// - Parameter keepsTimes: Whether gaps between the packets of an encoded sound are filled with silence.
    static func add(
        _ stream: MediaStream, to muxer: borrowing Muxer, encodedWith bitRate: Int64?, keepsTimes: Bool = false,
        limits: DecodeLimits
    ) throws(TranscodeFailure) -> SoundTrack {
        guard let bitRate else {
            return SoundTrack(track: try muxer.addCopy(of: stream), timeBase: stream.timeBase, encoding: nil)
        }
        let encoding = try SoundEncoding.open(stream, bitRate: bitRate, keepsTimes: keepsTimes, limits: limits)
        return SoundTrack(
            track: try muxer.addStream(of: encoding.encoder), timeBase: stream.timeBase, encoding: encoding)
    }

    /// Writes the sound of a packet of the source.
    mutating func write(_ packet: borrowing Packet, to muxer: borrowing Muxer) throws(TranscodeFailure) {
        guard !isCut, advance(to: packet) else { return }
        guard encoding != nil else { return try muxer.write(packet, to: track, timeBase: timeBase) }
        do throws(TranscodeFailure) {
            try encoding?.encode(packet, into: muxer, track: track)
        } catch {
            guard isOfVideo, [.corrupt, .unsupported].contains(error.code) else { throw error }
            isCut = true
        }
    }

    /// Notes the time of a packet, and returns whether the packet is written. A video's packet that goes back in time is dropped, because a gap is hardly
    /// audible. Containers may round two packets to the same millisecond, which only an encoded sound can keep.
    private mutating func advance(to packet: borrowing Packet) -> Bool {
        let time = packet.decodingTime
        guard isOfVideo, time != agd_no_pts else { return true }
        if let last, time < last || time == last && encoding == nil { return false }
        last = time
        return true
    }

    /// Writes the samples that the encoding still buffers.
    mutating func finish(_ muxer: borrowing Muxer) throws(TranscodeFailure) {
        guard !isCut else { return }
        try encoding?.finish(muxer, track: track)
    }
}

/// The frames of AMR that stand for a pause (3GPP TS 26.093 and 26.193) and describe its noise, or nothing.
///
/// FFmpeg 5.1 reports these frames as an error. Silence replaces them, so that later frames keep their time.
struct CodedPauses {
    private let areCoded: Bool

    init(of stream: MediaStream) {
        areCoded = stream.codec == AV_CODEC_ID_AMR_NB || stream.codec == AV_CODEC_ID_AMR_WB
    }

    /// Returns whether a failure of the decoder may mean that the frame stands for a pause.
    func explain(_ failure: TranscodeFailure) -> Bool {
        areCoded && [.corrupt, .unsupported].contains(failure.code)
    }

    /// Returns the number of samples in one frame, which lasts 20 ms.
    func sampleCount(in format: SoundFormat) -> Int32 { format.sampleRate / 50 }
}
