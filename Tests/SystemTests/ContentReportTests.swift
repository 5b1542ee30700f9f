import Base
import FeatureKit
import NotificationModel
import Testing

@testable import PayloadLint
@testable import appgroupd

/// Tests of the text that `process` prints on a terminal.
@Suite struct ContentReportTests {
    private static func notification(streams: StreamFacts? = nil) throws -> ProcessedNotification {
        var payload = PushPayload()
        payload.dialect = "2mee"
        payload.detectedBy = "appear2mee"
        let info = RenditionInfo(
            kind: .attachment, type: .jpeg, byteCount: 48_213, width: 1_024, height: 683, streams: streams)
        let hero = NotificationAttachment(
            identifier: "hero", asset: StoredAsset(info: info, sha256: "ab", path: "media/ab/ab.jpg"), thumbnail: nil,
            poster: nil,
            options: AttachmentOptions(), sourceURL: "https://a.example/hero.heic", sourceByteCount: 2_931_022,
            sourceType: "image/heic")
        let stages: [Stage] = [
            Stage(name: .wait, duration: .milliseconds(100)), Stage(name: .body, duration: .milliseconds(200)),
            Stage(name: .wait, duration: .milliseconds(100)), Stage(name: .inspect, duration: .microseconds(10)),
        ]
        let missing = MediaFailure(.httpStatus, "the origin answered 404")
        return ProcessedNotification(
            id: try #require(RequestID("id-1")), appGroup: .default, profile: .ios, payload: payload, outcome: .partial,
            reason: .httpStatus, text: NotificationText(title: "Week 3", body: "Coach\u{1B}[2J sent\nyou a film."),
            attachments: [hero],
            verdicts: [
                Verdict(
                    url: "https://a.example/hero.heic", identifier: "hero", failure: nil,
                    unError: .attachmentUnrecognizedType, stages: stages),
                Verdict(url: "https://a.example/gone.jpg", identifier: "gone", failure: missing, stages: []),
            ],
            timing: ProcessedNotification.Timing(
                receivedAt: SystemClock().date, budget: .seconds(30), elapsed: .milliseconds(412)),
            userInfo: JSONObject(),
            phone: PhoneView(wouldRunExtension: false, why: "/aps/mutable-content is missing: set it to the number 1"))
    }

    private static func finding(_ pointer: String) -> LintFinding {
        LintFinding(
            file: "a.json", rule: "plain-http", severity: .warning, pointer: pointer, message: "the URL is plain http",
            fix: "write https", line: 1, column: 1)
    }

    @Test func `the report at 60 columns contains the outcome, texts, media, time, phone and changes`() throws {
        let report = ContentReport(
            content: try Self.notification().json, heading: "a.json:3",
            findings: [Self.finding("/a"), Self.finding("/b")])
        let expected = """
            a.json:3: partial
              from     2mee (by appear2mee), for the profile ios, id
                       id-1
              title    Week 3
              body     CoachU+001B[2J sent
                       you a film.
              media    hero is shown: image/jpeg, 1024 × 683, 48.2 kB,
                       from 2.9 MB of image/heic (miss), in
                       media/ab/ab.jpg.
                       https://a.example/hero.heic
                       gone is left out (http-status): The origin
                       answered 404.
                       https://a.example/gone.jpg
              time     412 ms of 30 s
                       wait      200 ms    ██████████████
                       body      200 ms    ██████████████
              phone    An iPhone would not run the app's extension:
                       /aps/mutable-content is missing: set it to the
                       number 1. It would refuse the original of hero:
                       its type is not supported (UNError 101).
              change   /a, /b: the URL is plain http. Write https.
                       [plain-http]
                       Check the URL. For an origin that needs a token,
                       set fetch.headers.
            """
        #expect(report.lines(width: 60, isColored: false).joined(separator: "\n") == expected)
    }

    @Test(arguments: [
        (
            StreamFacts(videoCodec: "h264", frameRate: 29.97, audioCodec: "aac", sampleRate: 44_100, channels: 2),
            "h264 at 29.97 fps, aac 44.1 kHz stereo"
        ),
        (StreamFacts(videoCodec: "hevc", audioCodec: "mp3", channels: 6), "hevc, mp3 6 channels"),
    ])
    func `the codecs and rates of a video are printed between its dimensions and its size`(
        _ streams: StreamFacts, _ words: String
    ) throws {
        let report = ContentReport(content: try Self.notification(streams: streams).json, heading: "a.json:3")
        let text = report.lines(width: 400, isColored: false).joined(separator: "\n")
        #expect(text.contains("683, \(words), 48.2 kB"), "\(text)")
    }

    @Test(arguments: [40, 80, 200])
    func `a line is wider than the terminal only if it is a single word`(_ width: Int) throws {
        let report = ContentReport(
            content: try Self.notification().json, heading: "a.json:1",
            findings: [Self.finding("/a")])
        for line in report.lines(width: width, isColored: false) {
            let words = line.dropFirst(WrappedText.margin).split(separator: " ")
            #expect(line.count <= width || words.count == 1, "\(line)")
        }
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 kB"), (48_213, "48.2 kB"), (999_499, "999 kB"),
        (999_500, "1 MB"), (2_931_022, "2.9 MB"), (5_000_000_000, "5 GB"),
    ])
    func `sizes are printed in decimal units`(_ count: Int, _ text: String) { #expect(HumanText.bytes(count) == text) }

    @Test(arguments: [
        (0.0, "0 ms"), (0.000_4, "0.4 ms"), (0.412, "412 ms"), (0.999_6, "1 s"), (2.91, "2.9 s"), (100, "1 min 40 s"),
        (3_725, "1 h 2 min"),
    ])
    func `durations are printed in the unit of their magnitude`(_ seconds: Double, _ text: String) {
        #expect(HumanText.duration(.seconds(seconds)) == text)
    }
}
