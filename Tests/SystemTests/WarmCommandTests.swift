import Base
import FeatureKit
import Foundation
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of batches with an origin that counts its requests.
@Suite struct WarmCommandTests {
    private let root: TemporaryDirectory

    init() throws { root = try TemporaryDirectory() }

    /// Returns different URLs of the same file.
    ///
    /// - Parameter fault: The fault in the path before the name of the file, such as `delay/50ms/`.
    private func urls(_ count: Int, at origin: MisbehavingOrigin, fault: String = "") -> [String] {
        (0..<count).map { "\(origin.baseURL)/header/X-N:\($0)/\(fault)grey.jpg" }
    }

    private func arguments(_ more: [String]) -> [String] {
        ["warm", "--root", root.path, "--allow-address", "127.0.0.1"] + more
    }

    private func run(_ more: String..., input: [String] = []) async throws -> ProgramRun {
        try await ProgramRun.appgroupd(arguments(more), input: input.joined(separator: "\n"))
    }

    private func report(_ name: String) throws -> JSONValue {
        try JSONParser.value(of: try root.lines(name).joined(separator: "\n"))
    }

    private func path(of url: String, at origin: MisbehavingOrigin) -> String {
        String(url.dropFirst(origin.baseURL.count))
    }

    @Test func `each URL is requested once, and the next run finds all URLs in the cache`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = urls(30, at: origin)
            let first = try await run("-", input: urls + urls.prefix(5))
            #expect(first.status == 0, "\(first.errors)")
            #expect(
                first.output.first?.hasPrefix("  warm     30 of 35 items: 30 media, 0 from the cache") == true,
                "\(first.output)")
            for url in urls { #expect(origin.counts.hits(path(of: url, at: origin)) == 1) }
            let second = try await run("-", input: urls)
            #expect(second.output.first?.contains("30 from the cache") == true, "\(second.output)")
            #expect(origin.counts.requests == 30)
            let processed = try await ProgramRun.appgroupd(
                "process", "--root", root.path, "--allow-address", "127.0.0.1", "-",
                input: #"{"title": "t", "media": [{"url": "\#(urls[3])"}]}"#)
            #expect(try processed.contents[0]["outcome"] == "rich")
            #expect(origin.counts.requests == 30)
        }
    }

    @Test func `a killed run is continued, and completed items are not requested again`() async throws {
        let streams = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = urls(40, at: origin, fault: "delay/50ms/")
            let source = try root.write(urls.joined(separator: "\n"), as: "urls.txt")
            let (process, ending) = try ProgramRun.start(
                arguments(["--concurrency", "2", source]), in: streams)
            await origin.waitUntil { $0.responsesFinished >= 15 }
            kill(process.processIdentifier, SIGKILL)
            await ending.wait()
            let journal = try #require(try root.files().first { $0.hasSuffix(".journal") })
            let done = try root.lines(journal).compactMap { try? JSONParser.value(of: $0) }.compactMap {
                $0["result"] == "warm" ? $0["name"]?.string : nil
            }
            #expect(done.count >= 10)
            let again = try await run("--report", "\(root.path)/report.json", source)
            #expect(again.status == 0, "\(again.errors)")
            let notice = try #require(again.errors.first)
            #expect(notice.hasPrefix("appgroupd: this continues the run of 20"), "\(notice)")
            #expect(notice.contains("Z, in which \(done.count) items ended (journal \(root.path)/.warm/"), "\(notice)")
            for url in urls { #expect(origin.counts.hits(path(of: url, at: origin)) >= 1) }
            for url in done { #expect(origin.counts.hits(path(of: url, at: origin)) == 1) }
            let report = try report("report.json")
            #expect(report["totals"]["warm"] == 40)
            #expect(report["totals"]["items"] == 40)
            #expect(report["totals"]["earlier"]?.integer == done.count)
            #expect(report["complete"] == true)
        }
    }

    @Test func `an origin that answers 429 gets fewer requests, and all of its items are warmed`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = urls(4, at: origin, fault: "flaky/2/retry-after/1/429/")
            let run = try await run("--budget", "3s", "-", input: urls)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.first?.contains("4 of 4 items") == true, "\(run.output)")
            #expect(run.errors.contains { $0.hasSuffix("refuses requests: the next try is in 1 s") }, "\(run.errors)")
            for url in urls { #expect(origin.counts.hits(path(of: url, at: origin)) == 3) }
        }
    }

    @Test func `an interrupted run names the command that continues it`() async throws {
        let streams = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = urls(20, at: origin, fault: "delay/100ms/")
            let source = try root.write(urls.joined(separator: "\n"), as: "urls.txt")
            let (process, ending) = try ProgramRun.start(
                arguments(["--concurrency", "2", source]), in: streams)
            await origin.waitUntil { $0.responsesFinished >= 4 }
            process.interrupt()
            await ending.wait()
            #expect(process.terminationStatus == 130)
            let errors = try streams.lines("err")
            #expect(errors.last == "appgroupd: interrupted: run the same command again to continue", "\(errors)")
            let started = origin.counts.requests
            #expect(started < 20)
            let again = try await run(source)
            #expect(again.status == 0, "\(again.errors)")
            #expect(origin.counts.requests == 20)
        }
    }

    @Test func `warm reads a list from a URL, a sitemap or a feed`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = urls(3, at: origin)
            let sitemap = try root.write(
                "<urlset><url><image:image><image:loc>\(urls[1])</image:loc></image:image></url></urlset>", as: "s.xml")
            let run = try await run(
                urls[0], sitemap, "-",
                input: ["<rss><channel><item><enclosure url='\(urls[2])'/></item></channel></rss>"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.first?.contains("3 of 3 items: 3 media") == true, "\(run.output)")
            for url in urls { #expect(origin.counts.hits(path(of: url, at: origin)) == 1) }
        }
    }

    @Test(
        arguments: [
            ("https://a.example/sitemap.xml", 2, "curl -s 'https://a.example/sitemap.xml' | appgroupd warm -"),
            (
                "none.txt", 2,
                "none.txt: there is no such file, or it cannot be read: name a list, or a URL with https://"
            ),
        ] as [(String, Int32, String)])
    func `a source that warm cannot read is reported with a correction`(
        _ source: String, _ status: Int32, _ says: String
    ) async throws {
        let run = try await run(source)
        #expect(run.status == status)
        #expect(run.errors.first?.contains(says) == true, "\(run.errors)")
    }

    @Test func `an empty list is reported, and is not counted as a failure`() async throws {
        let run = try await run("-")
        #expect(run.status == 0)
        #expect(run.errors == ["appgroupd: -: this source has no items"])
    }

    @Test func `failures are reported and counted, and --tolerate permits a number or a percentage of failures`()
        async throws
    {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = urls(3, at: origin) + ["\(origin.baseURL)/missing.jpg?token=1", "http://10.0.0.1/private.jpg"]
            let source = try root.write(urls.joined(separator: "\n"), as: "urls.txt")
            let failed = try await run("--report", "\(root.path)/report.json", source)
            #expect(failed.status == 1)
            #expect(
                failed.errors.contains(
                    "appgroupd: \(origin.baseURL)/missing.jpg: http-status: the origin answered 404"),
                "\(failed.errors)")
            let advice = "appgroupd: 2 items failed: to try them again, add --resume "
            #expect(failed.errors.last?.hasPrefix(advice) == true)
            let report = try report("report.json")
            #expect(report["totals"]["failed"] == 2)
            #expect(report["reasons"] == ["forbidden-address": 1, "http-status": 1])
            let hosts = report["hosts"]?.array ?? []
            #expect(hosts.compactMap { $0["warm"]?.integer }.reduce(0, +) == 3)
            #expect(try await run("--tolerate", "2", source).status == 0)
            #expect(try await run("--tolerate", "39%", source).status == 1)
            #expect(try await run("--tolerate", "40%", source).status == 0)
        }
    }

    @Test func `a run with a named journal tries failed items again`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let source = try root.write(
                (urls(3, at: origin) + ["\(origin.baseURL)/missing.jpg"]).joined(separator: "\n"), as: "urls.txt")
            let journal = "\(root.path)/own.journal"
            #expect(try await run("--resume", journal, source).status == 1)
            #expect(origin.counts.requests == 4)
            let again = try await run("--resume", journal, source)
            #expect(again.output.first?.contains("3 items in an earlier run") == true, "\(again.output)")
            let other = try await run("--resume", journal, "--profile", "web", source)
            #expect(other.status == 2)
            #expect(
                other.errors == [
                    "appgroupd: \(journal): this journal belongs to other sources, options, or another root or daemon: "
                        + "name another file with --resume"
                ])
        }
    }

    @Test func `entries and payloads of any dialect are warmed for each profile`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = "\(origin.baseURL)/grey.jpg"
            let run = try await run(
                "--profile", "ios", "--profile", "web", "-",
                input: [
                    #"{"url": "\#(url)", "group": "group.a"}"#,
                    #"{"url": "\#(url)", "profiles": ["android"], "group": "group.b"}"#,
                    #"{"aps": {"alert": "x", "mutable-content": 1}, "image": "\#(url)"}"#,
                    #"{"aps": {"alert": "x"}}"#,
                    #"{"url": "\#(url)", "profil": "web"}"#,
                ])
            #expect(run.status == 1)
            #expect(run.output.contains { $0.hasPrefix("  warm     3 of 5 items") }, "\(run.output)")
            #expect(run.output.contains { $0.hasPrefix("  other    1 without media") }, "\(run.output)")
            #expect(
                run.errors.contains("appgroupd: -:5: invalid-payload: profil: is not a key: did you mean profile?"),
                "\(run.errors)")
            #expect(origin.counts.requests == 1)
            let groups = Set(try root.mediaFiles().compactMap { $0.split(separator: "/").first.map(String.init) })
            #expect(groups.isSuperset(of: ["group.a", "group.b", "group.default"]))
        }
    }

    @Test func `a dry run sends no request`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let run = try await run("--dry-run", "-", input: urls(3, at: origin) + ["http://b.example/1.jpg"])
            #expect(run.status == 0)
            #expect(run.output.first == "4 items would be requested")
            #expect(run.output.contains("  b.example: 1 item"))
            #expect(origin.counts.requests == 0)
        }
    }

    @Test(arguments: [
        (["missing.txt"], "missing.txt: there is no such file"), (["--keep", "soon", "-"], "--keep soon: it must be"),
        (["--keep", "2020-01-31", "-"], "--keep 2020-01-31: it must be in the future"),
        (["--profile", "io", "-"], "--profile io: did you mean ios?"), (["--rate", "0", "-"], "--rate 0"),
        (["--tolerate", "x", "-"], "--tolerate"),
        (["--concurrency", "x", "-"], "it must be a whole number from 1 to 1000"),
        (["--per-host", "1001", "-"], "it must be a whole number from 1 to 1000"),
        (["--via", "http://[::1", "-"], "it must be the path of a socket, or http://HOST:PORT"),
        (["--via", "http://::1:80", "-"], "it must be the path of a socket, or http://HOST:PORT"),
        (["--resume", "a", "--no-resume", "-"], "--resume and --no-resume cannot"),
    ])
    func `wrong usage of warm ends with status 2`(_ arguments: [String], _ message: String) async throws {
        let run = try await ProgramRun.appgroupd(["warm", "--root", root.path] + arguments)
        #expect(run.status == 2)
        #expect(run.errors.first?.contains(message) == true, "\(run.errors)")
    }

    @Test func `the help shows each default in the syntax of its flag`() async throws {
        let run = try await ProgramRun.appgroupd("warm", "--help")
        #expect(run.output.contains { $0.contains("Default: 0.") }, "\(run.output)")
        #expect(!run.output.contains { $0.contains("items(") })
    }

    @Test func `a report path that cannot be used is refused before the first request`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let source = try root.write(urls(1, at: origin)[0], as: "urls.txt")
            let journal = "\(root.path)/a.journal"
            let refusals = [
                ("\(root.path)/./urls.txt", "it is a source"), (journal, "it is the journal"),
                ("\(root.path)/none/report.json", "there is no directory"),
            ]
            for (report, message) in refusals {
                let run = try await run("--resume", journal, "--report", report, source)
                #expect(run.status == 2)
                #expect(run.errors.first?.contains("--report \(report): \(message)") == true, "\(run.errors)")
            }
            #expect(origin.counts.requests == 0)
            #expect(try root.lines("urls.txt").count == 1)
        }
    }

    @Test(arguments: [64, 80, 128])
    func `a small limit of open files reduces the concurrent items, and all items are warmed`(_ openFiles: Int)
        async throws
    {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let source = try root.write(
                urls(30, at: origin, fault: "delay/50ms/").joined(separator: "\n"), as: "urls.txt")
            let run = try await ProgramRun.appgroupd(
                arguments(["--per-host", "32", source]), through: ProgramRun.openFiles(openFiles))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.first?.contains("30 of 30 items: 30 media") == true, "\(run.output)")
            let most = DescriptorBudget.media(openFiles: openFiles)
            #expect(
                run.errors.filter { $0.contains("open files") } == [
                    "appgroupd: \(HumanText.counted(most, "item")) at a time in place of 32, because \(openFiles) "
                        + "open files are allowed: raise ulimit -n for more"
                ])
            #expect(origin.counts.requests == 30)
        }
    }

    @Test func `a limit of open files that is too small ends warm before any request`() async throws {
        let source = try root.write("http://a.example/1.jpg", as: "urls.txt")
        let run = try await ProgramRun.appgroupd(arguments([source]), through: ProgramRun.openFiles(40))
        #expect(run.status == 1)
        #expect(run.errors == ["appgroupd: the limit is 40 open files, and 64 are needed: raise ulimit -n"])
    }

    @Test func `a large unusable source ends warm with status 1 and a small journal`() async throws {
        let source = try root.write(String(repeating: "{\"url\": 7}\n", count: 100_000), as: "bad.ndjson")
        let report = "\(root.path)/report.json"
        let run = try await run("--from", "ndjson", "--report", report, source)
        #expect(run.status == 1)
        #expect(
            run.output.contains("  failed   100000: invalid-payload 100000; the report lists 1000 of them"),
            "\(run.output)")
        #expect(run.errors.count == 22, "\(run.errors)")
        #expect(try self.report("report.json")["failuresNotListed"] == 99_000)
        let journal = try #require(try root.files().first { $0.hasSuffix(".journal") })
        #expect(try #require(FileSystem.size(of: "\(root.path)/\(journal)")) < 500_000)
        #expect(try await self.run("--from", "ndjson", "--tolerate", "100%", source).status == 0)
    }

    @Test func `JSON progress has an event for each item`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let run = try await run("--progress", "json", "-", input: urls(3, at: origin))
            let events = try run.errors.map { try JSONParser.value(of: $0) }
            #expect(events.count { $0["event"] == "item" && $0["result"] == "warm" } == 3)
        }
    }
}
