import MediaHeaders
import NotificationModel
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// Sounds and films whose headers say less, or other things, than those of most files.
@Suite struct OddSoundTests {
    private static func fixture(_ name: String) -> [UInt8] { Workbench.fixture("../sounds/\(name)") }

    private func made(_ bytes: [UInt8], as format: SourceFormat) throws -> (report: RenditionReport, bytes: [UInt8]) {
        let outcome = Workbench.run(bytes, as: format, [Workbench.order(.attachment, 1_024)])
        return (try #require(outcome.reports.first, "\(outcome.reply.result)"), outcome.outputs[0])
    }

    @Test(arguments: ["pcm.wav", "float.wav"], [0, 0x7FFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFDB])
    func `a WAV that was written before its length was known is played to its end`(_ name: String, _ length: Int) throws
    {
        var bytes = Self.fixture(name)
        let data = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound
        let little = (0..<4).map { UInt8(length >> (8 * $0) & 255) }
        bytes.replaceSubrange(4..<8, with: little)
        bytes.replaceSubrange(data..<data + 4, with: little)
        // The last packet is a short one.
        for missing in [0, 1_000] {
            let (report, sound) = try made(Array(bytes.dropLast(missing)), as: .wav)
            #expect(abs(Int(report.durationMilliseconds ?? 0) - 2_000) <= 100, "\(report)")
            // The rendition states its length.
            let probe = try FilmProbe(sound, as: SourceFormat(report.format))
            #expect(probe.codecs.count == 1)
            let isUnknown = WAVLength.isUnknown(in: sound.span)
            #expect(!isUnknown)
        }
    }

    @Test func `a WAV that is shorter than it states is damaged`() throws {
        let bytes = Self.fixture("pcm.wav")
        #expect(
            Workbench.run(Array(bytes.dropLast(1_001)), as: .wav, [Workbench.order(.attachment, 64)]).failure
                == .corrupt)
    }

    private static let tag: [UInt8] =
        Array("ID3\u{3}\0\0\0\0\0\u{F}TIT2\0\0\0\u{5}\0\0\0Song".utf8)

    @Test(arguments: [
        ("flac.flac", SourceFormat.flac), ("aac.aac", .aac), ("mp3-no-tag.mp3", .mp3), ("mp3.mp3", .mp3),
    ])
    func `a sound behind ID3 tags is the one that follows them`(_ name: String, _ format: SourceFormat) throws {
        for count in 1...2 {
            let bytes = Array(repeating: Self.tag, count: count).flatMap(\.self) + Self.fixture(name)
            let (found, _) = try Workbench.orders(bytes, for: MediaProfile.all[0])
            #expect(found == format)
            let (report, _) = try made(bytes, as: found)
            #expect(abs(Int(report.durationMilliseconds ?? 0) - 2_000) <= 60, "\(report)")
        }
    }

    @Test(arguments: [1, 3, 700, 60_000])
    func `an MP3 behind zeros is played`(_ zeros: Int) throws {
        let bytes = [UInt8](repeating: 0, count: zeros) + Self.fixture("mp3-no-tag.mp3")
        let (format, _) = try Workbench.orders(bytes, for: MediaProfile.all[0])
        #expect(format == .mp3)
        let (report, _) = try made(bytes, as: format)
        #expect(abs(Int(report.durationMilliseconds ?? 0) - 2_000) <= 100, "\(report)")
    }

    @Test(arguments: ["isml", "cmfc", "XAVC", "3gp9", "3g2b", "M4VH", "NDSC", "F4V ", "zzzz"])
    func `a film of any brand is shown`(_ brand: String) throws {
        var bytes = Workbench.fixture("../films/h264-fragments.mp4")
        let size = Int(bytes[3])
        bytes.replaceSubrange(8..<12, with: Array(brand.utf8))
        for place in stride(from: 16, to: size, by: 4) {
            bytes.replaceSubrange(place..<place + 4, with: Array(brand.utf8))
        }
        let (format, _) = try Workbench.orders(bytes, for: MediaProfile.all[0])
        #expect(format == .mp4)
        _ = try made(bytes, as: format)
    }

    @Test func `a duration of all ones is not known`() throws {
        var bytes = Workbench.fixture("../films/h264-fragments.mp4")
        var place = 0
        while let found = bytes[place...].firstRange(of: Array("mdhd".utf8)) {
            bytes.replaceSubrange(found.upperBound + 16..<found.upperBound + 20, with: [0xFF, 0xFF, 0xFF, 0xFF])
            place = found.upperBound
        }
        #expect(place > 0)
        let (report, _) = try made(bytes, as: .mp4)
        let (whole, _) = try made(Workbench.fixture("../films/h264-fragments.mp4"), as: .mp4)
        #expect(report.durationMilliseconds == whole.durationMilliseconds)
    }
}
