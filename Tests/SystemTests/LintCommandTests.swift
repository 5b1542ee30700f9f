import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of `lint` with the whole program.
@Suite struct LintCommandTests {
    private static let good =
        #"{"aps": {"alert": "hi", "mutable-content": 1}, "image": "https://media.example.net/a.jpg"}"#
    private static let bad =
        #"{"aps": {"alert": "hi", "mutableContent": 1}, "image": "https://media.example.net/a.jpg"}"#
    private static let plain =
        #"{"aps": {"alert": "hi", "mutable-content": 1}, "image": "http://media.example.net/a.jpg"}"#

    private static func rules(_ run: ProgramRun) throws -> [String] {
        let findings = try JSONParser.value(of: run.output.joined(separator: "\n"))
        return try #require(findings.array).compactMap { $0["rule"]?.string }
    }

    @Test(arguments: [(good, 0), (bad, 1), (plain, 0), ("{", 1), ("", 1)] as [(String, Int32)])
    func `lint ends with status 1 if it reports an error`(_ text: String, _ status: Int32) async throws {
        let run = try await ProgramRun.appgroupd("lint", "-", input: text)
        #expect(run.status == status)
        #expect(run.errors.isEmpty)
        #expect(run.output.last?.hasSuffix("in 1 file") == true)
    }

    @Test func `lint reports a finding with its file, line, column and correction`() async throws {
        let root = try TemporaryDirectory()
        let path = try root.write(Self.bad, as: "push.json")
        let run = try await ProgramRun.appgroupd("lint", path)
        #expect(run.output.first?.hasPrefix("\(path):1:25: error: ") == true, "\(run.output)")
        #expect(run.output.first?.hasSuffix(" [misspelt-key]") == true)
        #expect(run.output.dropFirst().first == "  fix: Rename it to mutable-content")
    }

    @Test func `lint reports findings in the order of the arguments, and fails for a missing file`() async throws {
        let root = try TemporaryDirectory()
        let good = try root.write(Self.good, as: "good.json")
        let bad = try root.write(Self.bad, as: "bad.json")
        let run = try await ProgramRun.appgroupd("lint", "--format", "json", bad, root.path + "/none.json", good, bad)
        #expect(run.status == 1)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains("none.json: there is no such file: check the path") == true)
        let findings = try #require(try JSONParser.value(of: run.output.joined(separator: "\n")).array)
        #expect(findings.map { $0["file"]?.string } == [bad, bad])
        let alone = try await ProgramRun.appgroupd("lint", root.path + "/none.json", good)
        #expect(alone.status == 1)
    }

    @Test func `lint --min-severity hides findings without changing the status`() async throws {
        let both = Self.bad + "\n" + Self.plain
        let all = try await ProgramRun.appgroupd("lint", "--format", "json", "-", input: both)
        #expect(try Self.rules(all) == ["misspelt-key", "several-objects", "plain-http"])
        let some = try await ProgramRun.appgroupd(
            "lint", "--format", "json", "--min-severity", "warning", "-", input: both)
        #expect(try Self.rules(some) == ["misspelt-key", "plain-http"])
        let least = try await ProgramRun.appgroupd(
            "lint", "--format", "json", "--min-severity", "error", "-", input: Self.plain)
        #expect(try Self.rules(least) == [])
        #expect(least.status == 0)
    }

    @Test func `lint prints one log in the SARIF format`() async throws {
        let run = try await ProgramRun.appgroupd("lint", "--format", "sarif", "-", input: Self.bad)
        #expect(run.status == 1)
        let log = try JSONParser.value(of: run.output.joined(separator: "\n"))
        #expect(log["version"] == "2.1.0")
        #expect(log["runs"]?.array?.first?["results"]?.array?.first?["ruleId"] == "misspelt-key")
    }

    @Test func `lint --now replaces the current time`() async throws {
        let text = #"{"appear2mee": {"id": "1", "urls": [], "playTime": 1769860800000, "expiry": 10}}"#
        let late = try await ProgramRun.appgroupd(
            "lint", "--now", "2026-01-31T12:10:00Z", "--format", "json", "-", input: text)
        #expect(try Self.rules(late).contains("message-expired"))
        let early = try await ProgramRun.appgroupd(
            "lint", "--now", "2026-01-31T12:09:59Z", "--format", "json", "-", input: text)
        #expect(try !Self.rules(early).contains("message-expired"))
    }

    @Test func `lint.failOn and --strict turn warnings into failures, and lint.ignore skips rules`() async throws {
        let text = #"{"aps": {"alert": "x", "mutable-content": 1}, "image": "http://127.0.0.1/a.jpg"}"#
        let plain = try await ProgramRun.appgroupd("lint", "--format", "json", "-", input: text)
        #expect(try plain.status == 0 && Self.rules(plain) == ["plain-http", "private-host"])
        let strict = try await ProgramRun.appgroupd("lint", "--strict", "-", input: text)
        #expect(strict.status == 1)
        let root = try TemporaryDirectory()
        let config = try root.write("lint:\n  failOn: warning\n  ignore: [plain-http]\n", as: "appgroupd.yaml")
        let configured = try await ProgramRun.appgroupd(
            "lint", "--config", config, "--format", "json", "-", input: text)
        #expect(try configured.status == 1 && Self.rules(configured) == ["private-host"])
        let allowed = try await ProgramRun.appgroupd(
            "lint", "--config", config, "--allow-address", "127.0.0.0/8", "--format", "json", "-", input: text)
        #expect(try allowed.status == 0 && Self.rules(allowed) == [])
        let unknown = try await ProgramRun.appgroupd("lint", "--ignore", "plain-htp", "-", input: text)
        #expect(unknown.status == 2 && unknown.errors.first?.contains("did you mean plain-http?") == true)
    }

    @Test func `lint reads the dialects of the configuration`() async throws {
        let root = try TemporaryDirectory()
        let config = try root.write(
            "dialects:\n  - name: acme\n    recognisedBy: acme.id\n    media: [acme.picture]\n", as: "appgroupd.yaml")
        let text = #"{"acme": {"id": "1", "picture": "http://media.example.net/a.jpg"}}"#
        let with = try await ProgramRun.appgroupd("lint", "--config", config, "--format", "json", "-", input: text)
        #expect(try Self.rules(with) == ["plain-http"], "\(with.errors)")
        let without = try await ProgramRun.appgroupd("lint", "--format", "json", "-", input: text)
        #expect(try Self.rules(without) == ["unknown-payload", "media-unread"])
    }

    @Test(arguments: [
        (["--dialect", "kaviyo", "-"], "did you mean klaviyo?"), (["--format", "xml", "-"], "sarif"),
        (["--min-severity", "fatal", "-"], "warning"), (["--now", "tomorrow", "-"], "RFC 3339"), ([], "<file>"),
        (["--ftch", "-"], "--fetch"),
    ])
    func `wrong usage of lint ends with status 2 and one line`(_ arguments: [String], _ says: String) async throws {
        let run = try await ProgramRun.appgroupd(["lint"] + arguments, input: Self.good)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains(says) == true, "\(run.errors)")
    }

    // MARK: Fetching

    private static func payload(_ urls: [String]) -> String {
        let media = urls.map { #"{"url": "\#($0)"}"# }.joined(separator: ", ")
        return #"{"title": "x", "media": [\#(media)]}"#
    }

    @Test func `lint --fetch checks the bytes of the media`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let names = ["photo-12mp.jpg", "status/404/photo-12mp.jpg", "animated.webp", "empty.jpg", "photo-12mp.jpg"]
            let urls = names.map { "\(origin.baseURL)/\($0)" }
            let run = try await ProgramRun.appgroupd(
                "lint", "--fetch", "--allow-address", "127.0.0.0/8", "--format", "json", "-", input: Self.payload(urls))
            let findings = try #require(try JSONParser.value(of: run.output.joined(separator: "\n")).array)
            let fetched = findings.filter { $0["rule"]?.string?.contains("medi") == true }
            #expect(
                fetched.map { "\($0["rule"]?.string ?? "") \($0["pointer"]?.string ?? "")" } == [
                    "medium-not-fetched /media/1/url", "medium-not-shown /media/2/url",
                    "medium-not-fetched /media/3/url",
                ])
            #expect(fetched.first?["message"]?.string?.contains("http-status") == true)
            #expect(run.status == 1)
        }
    }

    @Test func `lint --fetch applies the address policy, and the budget ends a stalled transfer`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = "\(origin.baseURL)/stall/after/1000/photo-12mp.jpg"
            let refused = try await ProgramRun.appgroupd("lint", "--fetch", "-", input: Self.payload([url]))
            #expect(refused.output.contains { $0.contains("(forbidden-address)") })
            let start = MonotonicInstant.now
            let stalled = try await ProgramRun.appgroupd(
                "lint", "--fetch", "--allow-address", "127.0.0.0/8", "--budget", "500ms", "-",
                input: Self.payload([url]))
            #expect(stalled.output.contains { $0.contains("(budget-exceeded)") }, "\(stalled.output)")
            #expect(start.duration(to: .now) < .seconds(9))
            #expect(stalled.status == 1)
        }
    }

    @Test func `lint sends no request without --fetch`() async throws {
        let run = try await ProgramRun.appgroupd(
            "lint", "--allow-address", "127.0.0.0/8", "--format", "json", "-",
            input: Self.payload(["http://127.0.0.1:9/a.jpg"]))
        #expect(try Self.rules(run) == ["plain-http"])
        #expect(run.status == 0)
    }
}
