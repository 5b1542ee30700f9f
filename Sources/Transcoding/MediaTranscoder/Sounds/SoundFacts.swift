import Base
import CFFmpeg
import TranscodeProtocol

/// The facts in a container's header about its sound, within the job's limits.
struct SoundFacts {
    let format: MediaFormat
    let stream: Int
    /// The duration that the header states, in milliseconds; `nil` if it states none.
    let durationMilliseconds: UInt64?
    /// The format in which phones play the sound as it is (Apple, "UNNotificationAttachment"); `nil` if it becomes AAC.
    let copiedFormat: MediaFormat?
    /// Whether the file has a cover image.
    let hasCover: Bool
    /// The description of the source in results.
    let source: SourceReport
    private let encoded: SoundFormat

    /// The lowest bit rate of AAC, in bits per second. At lower rates, speech cannot be understood.
    private static let minBitRate: Int64 = 16_000

    /// Reads the facts, and decodes the beginning of the sound, because headers may state a wrong codec.
    ///
    /// - Throws: `unsupported` for a video and for a file without a sound that can be decoded. `tooLarge` for a
    ///   duration above the limit. `corrupt` for a sound whose beginning cannot be decoded.
    static func inspect(
        _ demuxer: borrowing Demuxer, as format: MediaFormat, byteCount: Int, limits: DecodeLimits
    ) throws(TranscodeFailure) -> SoundFacts {
        let images = demuxer.streams.filter(\.isVideo)
        if let video = images.first(where: { !$0.isCover }) {
            throw .unsupported("\(CodecName.of(video.codec)) is not decoded")
        }
        let sounds = demuxer.streams.filter(\.isAudio)
        guard let stream = sounds.first(where: \.hasDecoder) else {
            let codec = sounds.first.map { CodecName.of($0.codec) }
            throw .unsupported(codec.map { "a sound with the codec \($0)" } ?? "the file has no sound")
        }
        let duration = stream.durationMilliseconds ?? demuxer.durationMilliseconds
        if let duration, duration > limits.durationMilliseconds {
            throw .tooLarge("the sound lasts \(duration) ms")
        }
        try SoundTrack.checkBeginning(demuxer, stream: stream.index)
        return SoundFacts(
            format: format, stream: stream.index, durationMilliseconds: duration,
            copiedFormat: copied(stream.codec, in: format), hasCover: !images.isEmpty,
            source: SourceReport(
                durationMilliseconds: duration,
                streams: StreamFacts(
                    video: nil, audio: stream, frames: nil, milliseconds: duration, byteCount: byteCount)),
            encoded: SoundFormat(encoding: stream))
    }

    private static func copied(_ codec: AVCodecID, in format: MediaFormat) -> MediaFormat? {
        switch (format.container, codec) {
        case (.mp3, AV_CODEC_ID_MP3): .mp3
        case (.mp4, AV_CODEC_ID_AAC), (.mp4, AV_CODEC_ID_ALAC), (.aac, AV_CODEC_ID_AAC): .m4a
        case (.matroska, AV_CODEC_ID_AAC), (.caf, AV_CODEC_ID_AAC), (.flv, AV_CODEC_ID_AAC): .m4a
        case (.wav, AV_CODEC_ID_PCM_U8), (.wav, AV_CODEC_ID_PCM_S16LE), (.wav, AV_CODEC_ID_PCM_S24LE): .wav
        case (.aiff, AV_CODEC_ID_PCM_S8), (.aiff, AV_CODEC_ID_PCM_S16BE), (.aiff, AV_CODEC_ID_PCM_S24BE): .aiff
        default: nil
        }
    }

    /// Returns the bit rate of AAC, in bits per second, at which the sound fits. A twentieth is for the index.
    ///
    /// - Throws: `tooLarge` if no bit rate at which speech can be understood fits.
    func bitRate(fitting bytes: UInt64) throws(TranscodeFailure) -> Int64 {
        let seconds = Double(max(1, durationMilliseconds ?? 1)) / 1_000
        let most = Int64(min(1e9, Double(bytes) * 8 * 0.95 / seconds))
        guard most >= Self.minBitRate else {
            throw .tooLarge("\(Int(seconds)) s of sound do not fit into \(bytes) bytes")
        }
        return min(most, encoded.bitRate)
    }

    /// The estimated time to encode the sound, in microseconds of the machine of `TranscodePlan.cost`; 0 for a copy.
    var encodingCost: Double { copiedFormat == nil ? Double(durationMilliseconds ?? 0) * 15 : 0 }
}

/// The format of samples for AAC: one of its sample rates, with one channel or two.
struct SoundFormat: Equatable {
    /// The sample rate, in Hz.
    let sampleRate: Int32
    let channels: Int32

    /// The sample format of FFmpeg's AAC encoder: 32-bit floats, with a plane for each channel.
    static let samples = AV_SAMPLE_FMT_FLTP

    /// The bit rate, in bits per second, at which almost no listener hears a difference.
    var bitRate: Int64 { channels == 1 ? 80_000 : 128_000 }
}

extension SoundFormat {
    /// The sample rates of AAC up to 48,000 Hz (ISO 14496-3, table 1.18).
    private static let rates: [Int32] = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]

    /// The range of sample rates that sources may have, in Hz, from telephones to studios.
    static let sources: ClosedRange<Int32> = 4_000...384_000

    /// Chooses the format in which a stream's sound is encoded. It keeps a rate that AAC has, and at most two channels.
    init(encoding stream: MediaStream) {
        let rate = stream.sampleRate
        sampleRate = Self.rates.contains(rate) ? rate : 48_000
        channels = stream.channels == 1 ? 1 : 2
    }
}
