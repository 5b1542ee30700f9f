import Base
import MediaHeaders
import NotificationModel
import TestSupport
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of sounds and videos whose headers omit values that most files have, or have unusual values.
@Suite struct OddSoundTests {
    private static func fixture(_ name: String) -> [UInt8] { Workbench.fixture("../sounds/\(name)") }

    private func made(_ bytes: [UInt8], as format: MediaFormat) throws -> (report: RenditionReport, bytes: [UInt8]) {
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
        // If bytes are missing, the last packet is incomplete.
        for missing in [0, 1_000] {
            let (report, sound) = try made(Array(bytes.dropLast(missing)), as: .wav)
            #expect(abs(Int(report.durationMilliseconds ?? 0) - 2_000) <= 100, "\(report)")
            // The header of the rendition states its length.
            let probe = try VideoProbe(sound, as: report.format)
            #expect(probe.codecs.count == 1)
            let isUnknown = WAVLength.isUnknown(in: sound.span)
            #expect(!isUnknown)
        }
    }

    @Test func `a WAV with fewer bytes than its header declares is damaged`() throws {
        let bytes = Self.fixture("pcm.wav")
        #expect(
            Workbench.run(Array(bytes.dropLast(1_001)), as: .wav, [Workbench.order(.attachment, 64)]).failure
                == .corrupt)
    }

    @Test(
        arguments: [
            ("narrow.amr", 6, 32, [0x44, 0, 0, 0, 0, 0]), ("narrow.amr", 6, 32, [0x7C]),
            ("wide.amr", 9, 33, [0x4C, 0, 0, 0, 0, 0]), ("wide.amr", 9, 33, [0x7C]),
        ] as [(String, Int, Int, [UInt8])])
    func `frames of AMR without speech decode to silence, and keep their duration`(
        _ name: String, _ start: Int, _ length: Int, _ pause: [UInt8]
    ) throws {
        var bytes = Self.fixture(name)
        let half = Array(repeating: pause, count: 25).flatMap(\.self)
        bytes.insert(contentsOf: half, at: start + 10 * length)
        // An AMR file may begin with a pause.
        bytes.insert(contentsOf: pause, at: start)
        let (report, sound) = try made(bytes, as: .amr)
        #expect(abs(Int(report.durationMilliseconds ?? 0) - 2_520) <= 60, "\(report)")
        let tone = try #require(try VideoProbe(sound).tone)
        #expect(abs(tone - 1_480) <= 60, "the tone sounds at \(tone) ms")
    }

    @Test(
        arguments: [
            // The replaced field is the sample rate or the number of channels.
            ("pcm.caf", .caf, 20, [0x41, 0xCD, 0xCD, 0x65, 0, 0, 0, 0]), ("pcm.caf", .caf, 44, [0, 0, 1, 0]),
            ("opus.caf", .caf, 44, [0, 0, 0, 9]),
            ("pcm.au", .au, 16, [0xFF, 0xFF, 0xFF, 0xFF]), ("pcm.au", .au, 20, [0, 0, 1, 0]),
            ("pcm.au", .au, 16, [0, 0, 0, 0]), ("pcm.w64", .w64, 68, [0xFF, 0xFF, 0xFF, 0x7F]),
            ("pcm.w64", .w64, 66, [0xFF, 0x7F]), ("gsm.wav", .wav, 24, [0xFF, 0xFF, 0xFF, 0x7F]),
        ] as [(String, MediaFormat, Int, [UInt8])])
    func `a sound with impossible header values is refused with a reason`(
        _ name: String, _ format: MediaFormat, _ place: Int, _ number: [UInt8]
    ) {
        var bytes = Self.fixture(name)
        bytes.replaceSubrange(place..<place + number.count, with: number)
        let outcome = Workbench.run(bytes, as: format, [Workbench.order(.attachment, 64)])
        #expect([.corrupt, .unsupported, .tooLarge].contains(outcome.failure), "\(outcome.reply.result)")
    }

    @Test func `a CAF that declares a duration beyond the limit is refused as too large`() {
        var bytes = Self.fixture("opus.caf")
        // The field is the number of frames in a packet.
        bytes.replaceSubrange(40..<44, with: [0, 0x7F, 0xFF, 0xFF])
        #expect(Workbench.run(bytes, as: .caf, [Workbench.order(.attachment, 64)]).failure == .tooLarge)
    }

    @Test func `a CAF that was written before its length was known is played to its end`() throws {
        var bytes = Self.fixture("pcm.caf")
        let length = try #require(bytes.firstRange(of: Array("data".utf8))).upperBound
        bytes.replaceSubrange(length..<length + 8, with: [UInt8](repeating: 0xFF, count: 8))
        for missing in [0, 1_000] {
            let (report, _) = try made(Array(bytes.dropLast(missing)), as: .caf)
            #expect(abs(Int(report.durationMilliseconds ?? 0) - 2_000) <= 100, "\(report)")
        }
    }

    @Test(arguments: [("pcm.au", MediaFormat.au), ("pcm.caf", .caf), ("pcm.w64", .w64), ("pcm.rf64", .wav)])
    func `a sound with fewer bytes than its header declares is damaged`(_ name: String, _ format: MediaFormat) {
        let bytes = Array(Self.fixture(name).dropLast(1_001))
        #expect(Workbench.run(bytes, as: format, [Workbench.order(.attachment, 64)]).failure == .corrupt)
    }

    @Test func `Windows Media and Flash with unsupported codecs are refused`() throws {
        // The codec of the first sound is a wave format tag in Windows Media. In Flash, the codec is in the upper four
        // bits.
        var windows = Self.fixture("wma2.wma")
        let kind: [UInt8] = [0x40, 0x9E, 0x69, 0xF8]
        let stream = try #require(windows.firstRange(of: kind)).lowerBound
        windows.replaceSubrange(stream + 54..<stream + 56, with: [0x0A, 0])
        var flash = Self.fixture("mp3.flv")
        while let tag = flash.firstRange(of: [0x2F, 0xFF]) ?? flash.firstRange(of: [0x2E, 0xFF]) {
            flash[tag.lowerBound] = 0x60 | flash[tag.lowerBound] & 15
        }
        for (bytes, format) in [(windows, MediaFormat.asf), (flash, .flv)] {
            let outcome = Workbench.run(bytes, as: format, [Workbench.order(.attachment, 64)])
            #expect(outcome.failure == .unsupported, "\(outcome.reply.result)")
        }
    }

    private static let tag: [UInt8] =
        Array("ID3\u{3}\0\0\0\0\0\u{F}TIT2\0\0\0\u{5}\0\0\0Song".utf8)

    @Test(arguments: [
        ("flac.flac", MediaFormat.flac), ("aac.aac", .aac), ("mp3-no-tag.mp3", .mp3), ("mp3.mp3", .mp3),
    ])
    func `a sound after ID3 tags is recognized by its own signature`(_ name: String, _ format: MediaFormat) throws {
        for count in 1...2 {
            let bytes = Array(repeating: Self.tag, count: count).flatMap(\.self) + Self.fixture(name)
            let (found, _) = try Workbench.specs(bytes, for: MediaProfile.all[0])
            #expect(found == format)
            let (report, _) = try made(bytes, as: found)
            #expect(abs(Int(report.durationMilliseconds ?? 0) - 2_000) <= 60, "\(report)")
        }
    }

    @Test(arguments: [1, 3, 700, 60_000])
    func `an MP3 is recognized and played if zeros precede its first frame`(_ zeros: Int) throws {
        let bytes = [UInt8](repeating: 0, count: zeros) + Self.fixture("mp3-no-tag.mp3")
        let (format, _) = try Workbench.specs(bytes, for: MediaProfile.all[0])
        #expect(format == .mp3)
        let (report, _) = try made(bytes, as: format)
        #expect(abs(Int(report.durationMilliseconds ?? 0) - 2_000) <= 100, "\(report)")
    }

    @Test(arguments: ["isml", "cmfc", "XAVC", "3gp9", "3g2b", "M4VH", "NDSC", "F4V ", "zzzz"])
    func `a video with any brand is shown`(_ brand: String) throws {
        var bytes = Workbench.fixture("../films/h264-fragments.mp4")
        let size = Int(bytes[3])
        bytes.replaceSubrange(8..<12, with: Array(brand.utf8))
        for place in stride(from: 16, to: size, by: 4) {
            bytes.replaceSubrange(place..<place + 4, with: Array(brand.utf8))
        }
        let (format, _) = try Workbench.specs(bytes, for: MediaProfile.all[0])
        #expect(format == .mp4)
        _ = try made(bytes, as: format)
    }

    @Test func `a duration field with all bits set means an unknown duration`() throws {
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
