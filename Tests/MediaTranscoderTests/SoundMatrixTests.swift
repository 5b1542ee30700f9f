import Base
import MediaHeaders
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of sounds in every supported container and codec (scripts/make-sound-fixtures). The sounds are copied or
/// encoded.
@Suite struct SoundMatrixTests {
    struct Sound: Sendable, CustomTestStringConvertible {
        let name: String
        let format: MediaFormat
        let made: MediaFormat
        let codec: String
        var hasCover = false
        /// Whether the codec fills pauses with noise, which needs all bits.
        var isNoisy = false
        var testDescription: String { name }

        var bytes: [UInt8] { Workbench.fixture("../sounds/\(name)") }
    }

    private static let sounds = [
        Sound(name: "mp3.mp3", format: .mp3, made: .mp3, codec: "mp3"),
        Sound(name: "mp3-no-tag.mp3", format: .mp3, made: .mp3, codec: "mp3"),
        Sound(name: "mp3-cover.mp3", format: .mp3, made: .mp3, codec: "mp3", hasCover: true),
        Sound(name: "aac.aac", format: .aac, made: .m4a, codec: "aac"),
        Sound(name: "aac.m4a", format: .mp4, made: .m4a, codec: "aac"),
        Sound(name: "aac-cover.m4a", format: .mp4, made: .m4a, codec: "aac", hasCover: true),
        Sound(name: "alac.m4a", format: .mp4, made: .m4a, codec: "alac"),
        Sound(name: "pcm.wav", format: .wav, made: .wav, codec: "pcm_s16le"),
        Sound(name: "float.wav", format: .wav, made: .m4a, codec: "aac"),
        Sound(name: "pcm.aiff", format: .aiff, made: .aiff, codec: "pcm_s16be"),
        Sound(name: "vorbis.ogg", format: .ogg, made: .m4a, codec: "aac"),
        Sound(name: "opus.opus", format: .ogg, made: .m4a, codec: "aac"),
        Sound(name: "flac.flac", format: .flac, made: .m4a, codec: "aac"),
        Sound(name: "opus.webm", format: .matroska, made: .m4a, codec: "aac"),
        Sound(name: "aac.mp4", format: .mp4, made: .m4a, codec: "aac"),
        Sound(name: "aac.mka", format: .matroska, made: .m4a, codec: "aac"),
        Sound(name: "narrow.amr", format: .amr, made: .m4a, codec: "aac", isNoisy: true),
        Sound(name: "wide.amr", format: .amr, made: .m4a, codec: "aac", isNoisy: true),
        Sound(name: "opus.caf", format: .caf, made: .m4a, codec: "aac"),
        Sound(name: "aac.caf", format: .caf, made: .m4a, codec: "aac"),
        Sound(name: "alac.caf", format: .caf, made: .m4a, codec: "aac"),
        Sound(name: "pcm.caf", format: .caf, made: .m4a, codec: "aac"),
        Sound(name: "wma1.wma", format: .asf, made: .m4a, codec: "aac"),
        Sound(name: "wma2.wma", format: .asf, made: .m4a, codec: "aac"),
        Sound(name: "mp3.flv", format: .flv, made: .m4a, codec: "aac"),
        Sound(name: "aac.flv", format: .flv, made: .m4a, codec: "aac"),
        Sound(name: "pcm.au", format: .au, made: .m4a, codec: "aac"),
        Sound(name: "mulaw.au", format: .au, made: .m4a, codec: "aac"),
        Sound(name: "pcm.rf64", format: .wav, made: .wav, codec: "pcm_s16le"),
        Sound(name: "pcm.w64", format: .w64, made: .m4a, codec: "aac"),
        Sound(name: "mulaw.wav", format: .wav, made: .m4a, codec: "aac"),
        Sound(name: "gsm.wav", format: .wav, made: .m4a, codec: "aac", isNoisy: true),
        Sound(name: "adpcm-ms.wav", format: .wav, made: .m4a, codec: "aac"),
        Sound(name: "adpcm-ima.wav", format: .wav, made: .m4a, codec: "aac"),
    ]

    private static let specs = [Workbench.order(.attachment, 1_024), Workbench.order(.thumbnail, 64)]

    @Test(arguments: sounds)
    func `a sound becomes a format that phones play, with its original duration and without its title`(_ sound: Sound)
        throws
    {
        let source = sound.bytes
        let outcome = Workbench.run(source, as: sound.format, Self.specs)
        let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
        #expect(report.format == sound.made)
        #expect([report.width, report.height] == [0, 0])
        #expect(abs(Int(report.durationMilliseconds ?? 0) - 2_000) <= 60, "\(report)")
        #expect(report.bytes == outcome.outputs[0].count)
        let made = outcome.outputs[0]
        let signature = MediaSignature.of(made.span)
        #expect(signature == sound.made)
        try expect(outcome.outputs[0], as: sound.made, sound.codec)
        #expect(!String(decoding: outcome.outputs[0], as: UTF8.self).contains("A title"))
        #expect(outcome.reports.count == (sound.hasCover ? 2 : 1))
        if sound.hasCover {
            let cover = outcome.reports[1]
            #expect(cover.role == .thumbnail && [cover.width, cover.height] == [64, 64])
        }
    }

    @Test(arguments: sounds)
    func `a sound with too many bytes is encoded within its cap`(_ sound: Sound) throws {
        var order = Workbench.order(.attachment, 1_024)
        let most = sound.isNoisy ? 16_000 : 6_500
        order.soundBytes = UInt64(most)
        let outcome = Workbench.run(sound.bytes, as: sound.format, [order])
        let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
        #expect(report.bytes <= most)
        let isSmall = sound.bytes.count <= most
        try expect(outcome.outputs[0], as: isSmall ? sound.made : .m4a, isSmall ? sound.codec : "aac")
        order.soundBytes = 1_900
        #expect(Workbench.run(sound.bytes, as: sound.format, [order]).failure == .tooLarge)
    }

    /// Checks the tone of a rendition. It begins at 0.96 s, plus the time that a decoder needs to start.
    private func expect(_ bytes: [UInt8], as made: MediaFormat, _ codec: String) throws {
        let probe = try VideoProbe(bytes, as: made)
        #expect(probe.codecs == [codec])
        let tone = try #require(probe.tone)
        #expect(abs(tone - 960) <= 60, "the tone sounds at \(tone) ms")
    }

    @Test(arguments: sounds)
    func `a sound that ends early or is mutated does not cause an internal failure`(_ sound: Sound) {
        let bytes = sound.bytes
        var generator = SeededGenerator(seed: 30)
        for part in [1, 2, 3, 5, 8, 13] {
            let outcome = Workbench.run(Array(bytes.prefix(bytes.count * part / 16)), as: sound.format, Self.specs)
            #expect(outcome.failure != .internalFault, "\(part) of 16: \(outcome.reply.result)")
        }
        for _ in 0..<TestLength.rounds(20, short: 4) {
            var mutated = bytes
            for _ in 0..<4 {
                mutated[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let outcome = Workbench.run(mutated, as: sound.format, Self.specs)
            #expect(outcome.failure != .internalFault, "\(outcome.reply.result)")
        }
    }

    /// Without the limit, the encoder takes 1.5 s for each second of such samples.
    @Test func `a sample that is far outside of the range or is NaN is limited`() throws {
        var bytes = Self.sounds[8].bytes
        for (index, sample) in [Float.greatestFiniteMagnitude, -.infinity, .nan, 1e30].enumerated() {
            for offset in stride(from: 1_000 + index * 4, to: bytes.count - 4, by: 16) {
                withUnsafeBytes(of: sample) { unsafe bytes.replaceSubrange(offset..<offset + 4, with: $0) }
            }
        }
        let outcome = Workbench.run(bytes, as: .wav, Self.specs)
        #expect(outcome.reports.first?.format == .m4a, "\(outcome.reply.result)")
        #expect(outcome.reply.stages.reduce(0) { $0 + $1.microseconds } < 1_000_000)
    }

    @Test func `a video with an unsupported codec is not treated as a sound`() throws {
        let theora = Workbench.fixture("../films/theora-vorbis.ogv")
        #expect(Workbench.run(theora, as: .ogg, Self.specs).failure == .unsupported)
        #expect(try Workbench.mimeType(theora) == "video/ogg")
        #expect(try Workbench.mimeType(Workbench.fixture("../sounds/vorbis.ogg")) == "audio/ogg")
    }

    @Test func `a poster order for a sound is refused`() {
        let sound = Self.sounds[0]
        #expect(Workbench.run(sound.bytes, as: .mp3, [Workbench.order(.poster, 64)]).failure == .unsupported)
    }
}
