import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of media that `--keep` has pinned. A later campaign sends no request to the origin, although the responses are
/// stale.
@Suite(.timeLimit(.minutes(2))) struct WarmKeepTests {
    private let root: TemporaryDirectory

    init() throws { root = try TemporaryDirectory() }

    /// Returns URLs whose responses are stale at once.
    private func urls(_ count: Int, at origin: MisbehavingOrigin) -> [String] {
        (0..<count).map { "\(origin.baseURL)/header/X-N:\($0)/header/Cache-Control:max-age=0/grey.jpg" }
    }

    private func run(_ arguments: String..., input: String = "") async throws -> ProgramRun {
        try await ProgramRun.appgroupd(
            arguments + ["--root", root.path, "--allow-address", "127.0.0.1"], input: input)
    }

    /// Processes a campaign with a notification for each URL.
    private func send(_ urls: [String]) async throws -> [JSONValue] {
        try await run("process", "-", input: urls.map { ServedPayload.media([$0]) }.joined(separator: "\n")).contents
    }

    @Test func `the media of a campaign that were pinned are used without a request to the origin`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = urls(10, at: origin)
            let warm = try await run("warm", "--keep", "14d", "-", input: urls.joined(separator: "\n"))
            #expect(warm.status == 0, "\(warm.errors)")
            #expect(origin.counts.requests == 10)
            let contents = try await send(urls)
            #expect(contents.map { $0["outcome"] } == Array(repeating: "rich", count: 10))
            #expect(origin.counts.requests == 10)
        }
    }

    @Test func `pinned media stay pinned after an export and an import`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = urls(3, at: origin)
            let first = try TemporaryDirectory()
            let warm = try await ProgramRun.appgroupd(
                ["warm", "--root", first.path, "--allow-address", "127.0.0.1", "--keep", "14d", "-"],
                input: urls.joined(separator: "\n"))
            #expect(warm.status == 0, "\(warm.errors)")
            let streams = try TemporaryDirectory()
            let export = try ProgramRun.start(["cache", "export", "--root", first.path], in: streams)
            await export.ending.wait()
            #expect(try streams.lines("err").last?.contains("3 pins") == true)
            let taken = try await ProgramRun.appgroupd("cache", "import", "--root", root.path, "\(streams.path)/out")
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(taken.output.first?.contains("3 pins") == true, "\(taken.output)")
            let contents = try await send(urls)
            #expect(contents.map { $0["outcome"] } == Array(repeating: "rich", count: 3))
            #expect(origin.counts.requests == 3)
        }
    }

    @Test func `stale responses without a pin are validated`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = urls(2, at: origin)
            _ = try await run("warm", "-", input: urls.joined(separator: "\n"))
            _ = try await send(urls)
            #expect(origin.counts.requests == 4)
        }
    }

    @Test func `cache pin and cache unpin change the pins of a URL`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = urls(1, at: origin)[0]
            let early = try await ProgramRun.appgroupd("cache", "pin", "--root", root.path, "--keep", "1d", url)
            #expect(early.status == 1)
            #expect(early.errors.first?.contains("appgroupd warm --keep 1d") == true, "\(early.errors)")
            _ = try await send([url])
            let pin = try await ProgramRun.appgroupd("cache", "pin", "--root", root.path, "--keep", "1d", url)
            #expect(pin.output == ["pinned 1 form of its renditions"], "\(pin.errors)")
            let asked = origin.counts.requests
            _ = try await send([url])
            #expect(origin.counts.requests == asked)
            try await checkPin(of: url)
            let unpin = try await ProgramRun.appgroupd("cache", "unpin", "--root", root.path, url)
            #expect(unpin.output == ["released 1 form of its renditions"], "\(unpin.errors)")
            _ = try await send([url])
            #expect(origin.counts.requests == asked + 1)
        }
    }

    /// Changes the date of the only pin to a later date and to an earlier date, and checks that the lists show the
    /// date.
    private func checkPin(of url: String) async throws {
        for date in ["2099-01-31", "2098-01-31"] {
            let end = "\(date)T00:00:00Z"
            let pin = try await ProgramRun.appgroupd("cache", "pin", "--root", root.path, "--keep", date, url)
            #expect(pin.output == ["pinned 1 form of its renditions"], "\(pin.errors)")
            let list = try await ProgramRun.appgroupd("cache", "ls", "--root", root.path, "--pinned")
            #expect(!list.output.isEmpty && list.output.dropFirst().allSatisfy { $0.contains("pinned until \(end)") })
            let shown = try await ProgramRun.appgroupd("cache", "show", "--root", root.path, url)
            #expect(shown.output.contains("pinnedUntil: \(end)"), "\(shown.output)")
            let statistics = try await ProgramRun.appgroupd("cache", "stats", "--root", root.path)
            #expect(statistics.output.contains { $0.hasPrefix("pinned: ") && $0.hasSuffix("until \(end)") })
            let json = try await ProgramRun.appgroupd("cache", "stats", "--json", "--root", root.path)
            #expect(try json.contents.first?["pinned"]["lastEnd"]?.string == end)
        }
    }

    @Test func `a pin of a URL with a date in the past is refused`() async throws {
        let pin = try await ProgramRun.appgroupd(
            "cache", "pin", "--root", root.path, "--keep", "0s", "https://a.example/1.jpg")
        #expect(pin.status == 2)
        #expect(pin.errors.first?.contains("--keep 0s: it must be in the future") == true, "\(pin.errors)")
    }

    @Test func `warm reports an error if the server at --via is not a daemon`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let run = try await ProgramRun.appgroupd(
                ["warm", "--via", origin.baseURL, "--root", root.path, "-"], input: "https://a.example/1.jpg")
            #expect(run.status == 1)
            #expect(
                run.errors.last?.hasPrefix("appgroupd: --via \(origin.baseURL): the server there is not appgroupd")
                    == true,
                "\(run.errors)")
        }
    }

    @Test func `warm finds a daemon at an IPv6 address`() async throws {
        try await ServedRoot.withRoot { served in
            let daemon = try await served.start("--listen", "[::1]:0")
            let place = try #require(daemon.log.records("ready").first?["listen"]?.string)
            let port = try #require(place.split(separator: ":").last)
            let run = try await ProgramRun.appgroupd(
                ["warm", "--via", "http://[::1]:\(port)", "--root", root.path, "--tolerate", "1", "-"],
                input: "https://a.example.invalid/1.jpg")
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test func `warm sends a token, and items of other groups fail`() async throws {
        let made = try await ProgramRun.appgroupd(["token", "new", "--group", "group.a", "--scope", "warm"])
        let token = try root.write(made.output.joined(), as: "token")
        chmod(token, 0o600)
        let access = ["auth:", "  required: always"] + made.errors.dropFirst()
        let config = try root.write(access.joined(separator: "\n"), as: "auth.yaml")
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { served in
                let daemon = try await served.start("--listen", "127.0.0.1:0", "--config", config)
                let place = try #require(daemon.log.records("ready").first?["listen"]?.string)
                func warm(_ arguments: String...) async throws -> ProgramRun {
                    try await ProgramRun.appgroupd(
                        ["warm", "--via", "http://\(place)", "--root", root.path, "--no-resume"] + arguments + ["-"],
                        input: urls(1, at: origin).joined())
                }
                let permitted = try await warm("--group", "group.a", "--token-file", token)
                #expect(permitted.status == 0, "\(permitted.errors)")
                let other = try await warm("--group", "group.b", "--token-file", token)
                #expect(other.status == 1)
                #expect(
                    (other.output + other.errors).contains {
                        $0.contains("group: group.b is not a group that the token permits")
                    }, "\(other.output + other.errors)")
                let without = try await warm()
                #expect(without.status == 1)
                #expect(without.errors.last?.contains("--token-file") == true, "\(without.errors)")
            }
        }
    }

    @Test func `media beyond the quota are not pinned, and the report has the reason`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let config = try root.write("media:\n  quota: 1MiB\n", as: "small.yaml")
            // The renditions have more than 1 MiB together.
            let names = [
                "video-1080p.mp4", "coach/week3.mp4", "video-moov-last.mp4", "photo-12mp.jpg", "progressive.jpg",
                "picture.webp", "photo-small.jpg", "photo-exif-small.jpg",
            ]
            let run = try await run(
                "warm", "--config", config, "--keep", "1d", "--report", "\(root.path)/report.json", "-",
                input: names.map { "\(origin.baseURL)/\($0)" }.joined(separator: "\n"))
            #expect(run.status == 1)
            let report = try root.lines("report.json").joined(separator: "\n")
            #expect(report.contains("storage-failed"), "\(report)")
        }
    }

    @Test func `a daemon warms the items of the command, and serves the items without further requests`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { served in
                _ = try await served.start()
                let urls = urls(5, at: origin)
                let warm = try await ProgramRun.appgroupd(
                    [
                        "warm", "--via", "\(served.path)/appgroupd.sock", "--root", root.path, "--keep", "1d", "-",
                    ], input: urls.joined(separator: "\n"))
                #expect(warm.status == 0, "\(warm.errors)")
                #expect(
                    warm.output.first?.contains("5 of 5 items: 5 media, 0 from the cache") == true, "\(warm.output)")
                #expect(origin.counts.requests == 5)
                for url in urls {
                    let answer = try await served.client.post(ServedPayload.media([url]))
                    #expect(answer.json["outcome"] == "rich")
                }
                #expect(origin.counts.requests == 5)
            }
        }
    }

    @Test func `warm fails and names the address if no daemon listens at the address`() async throws {
        let run = try await ProgramRun.appgroupd(
            ["warm", "--via", "\(root.path)/none.sock", "--root", root.path, "-"], input: "https://a.example/1.jpg")
        #expect(run.status == 1)
        #expect(
            run.errors.last
                == "appgroupd: --via \(root.path)/none.sock: there is no such socket: start a daemon with serve, or name "
                + "its socket with --via")
        let wrong = try await ProgramRun.appgroupd(
            ["warm", "--via", "https://a.example", "--root", root.path, "-"], input: "https://a.example/1.jpg")
        #expect(wrong.status == 2)
        #expect(wrong.errors.first?.contains("http://127.0.0.1:8480") == true, "\(wrong.errors)")
    }
}
