import CFFmpeg
import TranscodeProtocol

/// The form of samples: AAC's at one of its rates, with one channel or two.
struct SoundFormat: Equatable {
    /// Samples a second.
    let sampleRate: Int32
    let channels: Int32

    /// Planes of 32-bit floats, which FFmpeg's AAC encoder takes.
    static let samples = AV_SAMPLE_FMT_FLTP

    /// Bits a second at which hardly anybody hears a difference.
    var bitRate: Int64 { channels == 1 ? 80_000 : 128_000 }
}

extension SoundFormat {
    /// The rates of AAC up to 48,000 (ISO 14496-3, table 1.18).
    private static let rates: [Int32] = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]

    /// The rates of sources: those of telephones and studios, and more.
    static let sources: ClosedRange<Int32> = 4_000...384_000

    /// The form in which a stream's sound is encoded: its own rate if AAC has it, and at most two channels.
    init(encoding stream: MediaStream) {
        let rate = stream.sampleRate
        sampleRate = Self.rates.contains(rate) ? rate : 48_000
        channels = stream.channels == 1 ? 1 : 2
    }
}
