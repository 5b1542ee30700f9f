import Base
import NotificationModel
import Testing
import TranscodeProtocol

@testable import TranscodePool

/// The tests of the sentences about a video that is shown without a part of it.
struct SourceFactsTests {
    private func omission(_ source: SourceReport, reduction: RenditionReduction? = nil) -> String? {
        let report = RenditionReport(
            role: .attachment, format: .mp4, width: 160, height: 120, bytes: 1, durationMilliseconds: 12_480,
            reduction: reduction, source: source)
        return SourceFacts(source, shownAs: report).omission
    }

    @Test func `a completely shown video has no explanation`() {
        #expect(omission(SourceReport(frames: 1, durationMilliseconds: 95_000)) == nil)
    }

    @Test(
        arguments: [
            (.unsupported, "shown without its sound: ac3 is not decoded"),
            (.unreadable, "shown without its sound: the sound cannot be decoded"),
            (.cut, "shown without the end of its sound: the sound cannot be decoded any further"),
        ] as [(SoundOmission, String)])
    func `the explanation of an omitted sound states the reason`(_ reason: SoundOmission, _ sentence: String) {
        let streams = StreamFacts(audioCodec: "ac3")
        #expect(omission(SourceReport(streams: streams, soundOmission: reason)) == sentence)
    }

    @Test func `the explanation of a cut video states the duration that is shown`() {
        let source = SourceReport(durationMilliseconds: 95_040, soundOmission: .unreadable, isCut: true)
        #expect(
            omission(source)
                == "cut to the first 12.4 s of 95.0 s; shown without its sound: the sound cannot be decoded")
        #expect(omission(SourceReport(isCut: true)) == "cut to the first 12.4 s")
    }

    @Test func `a still image has no explanation about the sound of its video`() {
        #expect(omission(SourceReport(soundOmission: .unreadable), reduction: .still) == nil)
    }

    @Test func `the rates of source facts are in frames and bits a second`() {
        let facts = SourceFacts(
            SourceReport(
                frames: 30, durationMilliseconds: 1_001,
                streams: StreamFacts(
                    videoCodec: "h264", frameRate: 29.97, audioCodec: "aac", sampleRate: 48_000, channels: 2,
                    bitRate: .max)),
            shownAs: RenditionReport(role: .attachment, format: .mp4, width: 2, height: 2, bytes: 1))
        #expect(facts.frames == 30 && facts.duration == .milliseconds(1_001))
        #expect(
            facts.streams
                == StreamFacts(
                    videoCodec: "h264", frameRate: 29.97, audioCodec: "aac", sampleRate: 48_000, channels: 2,
                    bitRate: .max))
    }
}
