import Base
import CFFmpeg
import MediaHeaders
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of the settings with which a video fits its bytes.
@Suite struct VideoPlanTests {
    private func facts(seconds: UInt64 = 60, sound: Int64 = 96_000) -> VideoFacts {
        VideoFacts(
            format: .mp4, video: 0, audio: sound > 0 ? 1 : nil, source: SourceReport(), size: PixelSize(1_920, 1_080),
            sampleAspect: 1, orientation: .upright, durationMilliseconds: seconds * 1_000, frames: Int(seconds * 30),
            frameRate: AVRational(num: 30, den: 1), secondsOfFrame: 1 / 30, codec: AV_CODEC_ID_H264,
            byteCount: 50_000_000, isPlayable: true, audioBitRate: sound)
    }

    private func plan(_ bytes: UInt64, _ facts: VideoFacts, isLastTry: Bool = false) -> VideoPlan {
        VideoPlan.fitting(
            Workbench.order(.attachment, 1_024, videoBytes: bytes), facts, share: isLastTry ? 0.5 : 1,
            isLastTry: isLastTry)
    }

    @Test func `a large cap does not change the settings of a video`() {
        let plan = plan(50_000_000, facts())
        #expect(plan.size == PixelSize(1_280, 720) && plan.frameRate.num == 30 && plan.frameRate.den == 1)
        #expect(plan.soundBitRate == nil && !plan.isCutToFit)
    }

    @Test func `a plan reduces first the size, then the bit rate, then the frames, and last the duration`() {
        let plans = [8_000_000, 4_000_000, 2_000_000, 1_000_000, 500_000, 200_000, 100_000].map { plan($0, facts()) }
        let pixels = plans.map(\.size.pixels)
        #expect(pixels == pixels.sorted(by: >) && pixels.last == PixelSize(320, 180).pixels)
        let rates = plans.map { Double($0.frameRate.num) / Double($0.frameRate.den) }
        #expect(rates == rates.sorted(by: >) && rates.first == 30 && rates.last == 15)
        let limits = plans.map { $0.limit?.bitsPerSecond ?? 0 }
        #expect(limits == limits.sorted(by: >) && limits.last == 32_000)
        // Frames are dropped only at the smallest size, and the duration is cut only at the lowest frame rate.
        for plan in plans where plan.frameRate.den > 1 { #expect(plan.size.longestSide == 320) }
        for plan in plans where plan.isCutToFit { #expect(plan.frameRate.den > 1) }
        #expect(plans.map(\.isCutToFit).last == true && plans.map(\.isCutToFit).first == false)
    }

    @Test func `a sound gets at most a third of the bits and at least 16 kbit a second`() {
        #expect(plan(2_000_000, facts(sound: 320_000)).soundBitRate ?? 0 < 90_000)
        #expect(plan(50_000, facts(sound: 320_000)).soundBitRate == 16_000)
        #expect(plan(2_000_000, facts(sound: 0)).soundBitRate == nil)
    }

    @Test func `a video of unknown duration is cut at its cap in the last attempt`() {
        var facts = facts()
        facts.durationMilliseconds = nil
        #expect(plan(100_000, facts).limit == nil && !plan(100_000, facts).isCutToFit)
        #expect(plan(100_000, facts, isLastTry: true).isCutToFit)
    }

    @Test func `a faster preset and a smaller size reduce the cost`() {
        let (large, small) = (plan(50_000_000, facts()), plan(1_000_000, facts()))
        #expect(facts().cost(of: large, preset: .ultrafast) < facts().cost(of: large, preset: .veryfast) * 0.8)
        #expect(facts().cost(of: small, preset: .veryfast) < facts().cost(of: large, preset: .veryfast))
    }
}
