import Base
import Testing
import TranscodeProtocol

@testable import MediaTranscoder

/// The tests of broadcasts whose time stamps start again, as in a file that was joined from two files.
@Suite struct RestartingTimesTests {
    private static let second: Int64 = 1_000_000

    private func shifts(_ packets: [(stream: Int, start: Double)]) -> [Double] {
        var line = TimeLine(of: .mpegTS)
        return packets.map { packet in
            let start = Int64(packet.start * Double(Self.second))
            return Double(line.shift(stream: packet.stream, start: start, duration: Self.second)) / 1e6
        }
    }

    @Test func `time stamps without a jump do not change`() {
        #expect(shifts([(0, 0), (1, 0.4), (0, 1), (1, 1.4), (0, 9), (1, 12)]) == [0, 0, 0, 0, 0, 0])
    }

    @Test func `time stamps that start again continue after the last time stamps in all streams`() {
        #expect(
            shifts([(0, 0), (1, 0), (0, 1), (0, 2), (0, 0), (1, 1), (1, 2), (0, 1), (1, 0), (1, 1)])
                == [0, 0, 0, 0, 3, 0, 0, 3, 3, 3])
    }

    @Test func `a gap of over ten seconds is removed if all streams have it, and a pause of one stream is kept`() {
        #expect(shifts([(0, 0), (1, 0), (0, 60), (1, 60)]) == [0, 0, -59, -59])
        #expect(shifts([(0, 0)] + (0..<20).map { (1, Double($0)) } + [(0, 20)]) == [Double](repeating: 0, count: 22))
    }

    @Test func `a sound that is longer than the video keeps its end when the time stamps start again`() {
        #expect(shifts([(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (0, 0), (1, 0)]) == [0, 0, 0, 0, 0, 0, 4, 4])
    }

    @Test func `a duration of a day is ignored, unless the container states this duration`() {
        #expect(TimeLine(of: .mpegTS).duration(95_343_000) == nil)
        #expect(TimeLine(of: .mpegTS).duration(700_000) == 700_000)
        #expect(TimeLine(of: .mp4).duration(95_343_000) == 95_343_000)
    }

    @Test(arguments: [("h264-aac.ts", MediaFormat.mpegTS), ("mpeg2-mp2.ts", .mpegTS), ("mpeg2-mp2.mpg", .mpegPS)])
    func `a video whose time stamps start again is shown to its end, and its sound is in sync`(
        _ name: String, _ format: MediaFormat
    ) throws {
        let part = Workbench.fixture("../films/\(name)")
        for side in [UInt32(1_280), 80] {
            let outcome = Workbench.run(
                part + part, as: format,
                [Workbench.order(.attachment, 1_024, videoSide: side), Workbench.order(.poster, 160)])
            let report = try #require(outcome.reports.first, "\(outcome.reply.result)")
            #expect(report.format == .mp4 && (49...52).contains(report.frames))
            let made = try VideoProbe(outcome.outputs[0])
            #expect(made.frames == report.frames && abs(made.duration - 2_000) <= 81, "\(made.duration)")
            #expect(abs(Double(report.source?.durationMilliseconds ?? 0) - 2_000) <= 121)
            for (flash, tone) in [(made.flash, made.tone), (made.flashEnd, made.toneEnd)] {
                let (flash, tone) = (try #require(flash), try #require(tone))
                #expect(abs(flash - tone) <= 60, "the picture flashes at \(flash) ms, the tone sounds at \(tone) ms")
            }
        }
    }
}
