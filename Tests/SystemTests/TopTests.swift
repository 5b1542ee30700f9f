import Base
import FeatureKit
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of `top` and `status --hosts`.
@Suite(.serialized, .timeLimit(.minutes(1))) struct TopTests {
    private static func plain(_ line: String) -> String { line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }

    private static let status: JSONValue = [
        "version": "1.2.3", "uptimeMs": 7_265_000, "ready": true, "draining": false,
        "load": [
            "running": 12, "queued": 3, "accepted": 4_096,
            "emitted": ["rich": 4_000, "partial": 7, "fallback": 74, "rejected": 0],
        ],
        "recent": [
            "windowMs": 90_000, "emitted": 1_800, "late": 2, "elapsedMs": ["p50": .number(45.2), "p95": 512],
            "slackMs": ["p5": 21_000, "p50": 29_800],
        ],
        "workers": ["most": 2, "running": 2, "busy": 1, "waiting": 5],
    ]
    private static func host(_ number: Int) -> JSONValue {
        let name = number == 1 ? "a-very-long-name-of-a-host-of-pictures.cdn.example:443" : "h\(number).example:443"
        var host: JSONObject = ["host": .string(name), "failed": 3]
        host.append("requests", .number(1_000 / number))
        host.append("bytes", .number(12_345_678 / number))
        host.append("failures", ["http-status": 2, "connect-failed": 1])
        host.append("firstByteMs", ["p50": 12, "p95": .number(2_345.6)])
        host.append("breaker", number == 2 ? "open" : "closed")
        host.append("restMs", number == 2 ? 31_900 : nil)
        return .object(host)
    }

    private static let hosts: JSONValue = [
        "windowMs": 420_000, "hosts": .array((1...40).map(host)),
        "other": [
            "hosts": 460, "requests": 9_999, "bytes": 1_000, "failed": 0, "failures": [:],
            "firstByteMs": ["p50": nil, "p95": nil],
        ],
    ]
    private static let snapshot = TopSnapshot(status: status, hosts: hosts, at: .now)

    @Test(arguments: [(40, 10), (80, 24), (132, 50), (160, 45)], [true, false])
    func `a frame fills the terminal, and no line is wider than it`(_ size: (Int, Int), _ isColored: Bool) {
        let (width, height) = size
        let frame = TopFrame(snapshot: Self.snapshot)
        let lines = frame.lines(width: width, height: height, isColored: isColored).map(Self.plain)
        #expect(lines.count == height)
        #expect(lines.allSatisfy { TerminalText.columns(of: $0) <= width }, "\(lines.joined(separator: "\n"))")
        #expect(lines[0].hasPrefix("appgroupd ready, version 1.2.3, up 2 h 1 min".prefix(width)))
        #expect(lines.last?.hasPrefix("q quit   p pause   s sort: requests") == true)
    }

    @Test func `a frame of 80 columns has the figures of the daemon and the first hosts`() {
        let lines = TopFrame(snapshot: Self.snapshot).lines(width: 80, height: 24, isColored: false)
        let text = lines.joined(separator: "\n")
        for words in [
            "12 running, 3 queued", "20.0 emitted/s", "rich 4,000, partial 7, fallback 74", "p50 45.2 ms, p95 512 ms",
            "p50 29.8 s, p5 21 s before the deadline, 2 late", "1 busy, 2 running of 2, 5 media waiting",
            "hosts of the last 7 min 0 s", "open 31.9 s",
        ] {
            #expect(text.contains(words), "\(words)\n\(text)")
        }
        #expect(!text.contains("http-status"))
    }

    @Test func `a wide frame has the reasons of the failures, and all hosts have one line without a terminal`() {
        let wide = TopFrame(snapshot: Self.snapshot).lines(width: 160, height: 45, isColored: false)
        #expect(wide.contains { $0.contains("http-status 2, connect-failed 1") })
        let plain = TopFrame(snapshot: Self.snapshot).lines(width: nil, height: nil, isColored: false)
        #expect(plain.contains { $0.hasPrefix("a-very-long-name-of-a-host-of-pictures.cdn.example:443 ") })
        #expect(plain.last?.hasPrefix("other (460) ") == true)
        #expect(!plain.contains { $0.hasPrefix("q quit") })
    }

    @Test func `the rates are those since the last frame`() {
        var status = Self.status
        status = [
            "version": "1.2.3", "uptimeMs": 1, "ready": true, "draining": false,
            "load": ["running": 0, "queued": 0, "accepted": 4_296, "emitted": ["rich": 4_100, "fallback": 74]],
        ]
        let later = TopSnapshot(status: status, hosts: Self.hosts, at: Self.snapshot.at.advanced(by: .seconds(2)))
        let frame = TopFrame(snapshot: later, earlier: Self.snapshot)
        let text = frame.lines(width: 120, height: 30, isColored: false).joined(separator: "\n")
        #expect(text.contains("100 accepted/s"))
        #expect(text.contains("rich 4,100 (50.0/s), fallback 74"))
    }

    @Test func `a daemon that does not answer is shown with its last figures`() {
        var frame = TopFrame(snapshot: Self.snapshot)
        frame.problem = "no daemon listens"
        frame.isPaused = true
        let lines = frame.lines(width: 80, height: 24, isColored: false)
        #expect(lines[0] == "appgroupd no answer: no daemon listens (paused)")
        #expect(lines.last?.contains("p continue") == true)
        #expect(lines.contains { $0.contains("12 running") })
    }

    @Test func `an empty report is a table without hosts`() {
        let value: JSONValue = ["windowMs": 1_000, "hosts": [], "other": ["hosts": 0, "requests": 0]]
        #expect(HostLines(value: value).lines(width: 80).count == 1)
    }

    @Test func `top and status print the hosts of a running daemon as text`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                for path in ["/photo-small.jpg", "/no/such.jpg"] {
                    let payload = ServedPayload.media([origin.baseURL + path])
                    let answer = try await root.client.post(payload)
                    #expect(answer.status == 200)
                }
                let top = try await ProgramRun.appgroupd("top", "--root", root.path)
                #expect(top.status == 0)
                #expect(top.output.first?.hasPrefix("appgroupd ready, version ") == true)
                let host = try #require(top.output.first { $0.hasPrefix("127.0.0.1:") })
                #expect(host.contains("http-status 1"))
                let sorted = try await ProgramRun.appgroupd("top", "--root", root.path, "--once", "--sort", "failures")
                #expect(sorted.status == 0)

                let text = try await ProgramRun.appgroupd("status", "--root", root.path, "--hosts")
                #expect(text.output.contains { $0.hasPrefix("127.0.0.1:") && $0.contains("closed") })
                let json = try await ProgramRun.appgroupd(
                    "status", "--root", root.path, "--hosts", "--format", "json")
                let report = try JSONParser.value(of: json.output.joined())
                let figures = report["hosts"]?.array?.first
                #expect(figures["requests"]?.integer == 2)
                #expect(figures["failed"]?.integer == 1)
                #expect(figures["failures"] == ["http-status": 1])
            }
        }
    }

    @Test func `top without a daemon ends with status 1`() async throws {
        let directory = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd("top", "--root", directory.path)
        #expect(run.status == 1)
        #expect(run.output.isEmpty && run.errors.count == 1)
        let wrong = try await ProgramRun.appgroupd("top", "--sort", "size")
        #expect(wrong.status == 2)
    }
}
