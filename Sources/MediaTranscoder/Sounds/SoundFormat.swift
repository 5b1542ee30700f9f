import CFFmpeg

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

    /// The range of sample rates that sources may have, in Hz. The range includes the sample rates of telephones and
    /// studios.
    static let sources: ClosedRange<Int32> = 4_000...384_000

    /// Chooses the format in which a stream's sound is encoded. The format keeps the stream's rate if AAC has this
    /// rate, and has at most two channels.
    init(encoding stream: MediaStream) {
        let rate = stream.sampleRate
        sampleRate = Self.rates.contains(rate) ? rate : 48_000
        channels = stream.channels == 1 ? 1 : 2
    }
}
