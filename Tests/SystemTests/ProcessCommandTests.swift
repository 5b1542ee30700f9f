import Base
import Foundation
import Lab
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

@testable import appgroupd

/// Tests of the results of `process`: the name of the payload, the unmet requirements, and the format of the output.
@Suite struct ProcessCommandTests {
    @Test func `each result names the file and the line of its payload`() async throws {
        let root = try TemporaryDirectory()
        let first = try root.write(
            "\n\n{\"aps\": {\"alert\":\n \"1\"}}\n\n {\"aps\": {\"alert\": \"2\"}}", as: "one.json")
        let run = try await ProgramRun.appgroupd(
            "process", "--root", root.path, first, "-", input: #"{"aps": {"alert": "3"}}"#)
        let inputs = try run.contents.map { $0["input"] }
        #expect(
            inputs == [
                ["file": .string(first), "line": 3], ["file": .string(first), "line": 6], ["file": "-", "line": 1],
            ])
    }

    @Test func `the message about an unusable envelope has the line on which the envelope begins`() async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(
            "process", "--root", root.path, "-", input: "\n{\"budget\": 2, \"payload\": {\"aps\": {}}}")
        #expect(run.status == 1)
        let line = try #require(run.errors.first)
        #expect(line.hasPrefix("appgroupd: -:2: budget: is the number 2, not a string"), "\(line)")
    }

    @Test(arguments: [
        (
            "phone", #"{"aps": {"alert": "x"}}"#,
            "an iPhone would not run the extension: /aps/mutable-content is missing"
        ),
        ("rich", #"{"aps": {"alert": "x", "mutable-content": 1}}"#, "the outcome is passthrough"),
    ])
    func `an unmet requirement ends process with status 3 and one sentence`(
        _ requirement: String, _ payload: String, _ why: String
    ) async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(
            "process", "--root", root.path, "--require", requirement, "-", input: payload)
        #expect(run.status == 3)
        #expect(run.errors.first?.contains("-:1: --require \(requirement) is not met: \(why)") == true, "\(run.errors)")
    }

    @Test func `--require phone fails if an iPhone refuses or does not fetch the original file`() async throws {
        let root = try TemporaryDirectory()
        func run(_ image: String, _ options: String...) async throws -> ProgramRun {
            try await ProgramRun.appgroupd(
                ["process", "--root", root.path, "--allow-address", "127.0.0.1", "--require", "phone", "-"] + options,
                input: #"{"aps": {"alert": "x", "mutable-content": 1}, "image": "\#(image)"}"#)
        }
        func inline(_ name: String) throws -> String {
            "data:;base64,\(try Data(contentsOf: URL(filePath: "\(Fixtures.media)/\(name)")).base64EncodedString())"
        }
        let shown = try await run(try inline("grey.jpg"))
        #expect(shown.status == 0, "\(shown.errors)")
        let refused = try await run(try inline("picture.webp"))
        #expect(refused.status == 3)
        #expect(refused.errors.first?.contains("(UNError 101)") == true, "\(refused.errors)")
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let blocked = try await run("\(origin.baseURL)/grey.jpg")
            #expect(blocked.status == 3 && blocked.output.count == 1)
            #expect(
                blocked.errors.first?.contains("an iPhone would not fetch media-1: on a phone App Transport") == true,
                "\(blocked.errors)")
            // The requirement is about an iPhone, so a watch with the same file meets it.
            #expect(try await run("\(origin.baseURL)/grey.jpg", "--profile", "watch").status == 0)
        }
    }

    @Test(
        arguments: [
            ("fallback", "/status/404/grey.jpg", 0), ("fallback", "/grey.jpg", 3),
            ("reason=http-status", "/status/404/grey.jpg", 0), ("reason=budget-exceeded", "/status/404/grey.jpg", 3),
            ("reason=http-status", "/grey.jpg", 3),
        ] as [(String, String, Int32)])
    func `process --require accepts the fallback outcome and a reason`(
        _ requirement: String, _ path: String, _ status: Int32
    ) async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let run = try await ProgramRun.appgroupd(
                "process", "--root", root.path, "--allow-address", "127.0.0.1", "--require", requirement, "-",
                input: #"{"aps": {"alert": "x"}, "image": "\#(origin.baseURL)\#(path)"}"#)
            #expect(run.status == status && run.output.count == 1)
            let says =
                "--require \(requirement) is not met: the outcome is \(path == "/grey.jpg" ? "rich" : "fallback")"
            #expect(run.errors.first?.contains(says) == (status == 3 ? true : nil), "\(run.errors)")
        }
    }

    @Test func `a GIF with too many frames is cut, and each verdict reports the cut`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.directory + "/corners") { origin in
            let payload = #"{"title": "t", "media": [{"url": "\#(origin.baseURL)/gif-1001-frames.gif"}]}"#
            for isCached in [false, true] {
                let run = try await ProgramRun.appgroupd(
                    "process", "--root", root.path, "--allow-address", "127.0.0.1", "-",
                    input: payload)
                let content = JSONNode(try run.contents[0])
                #expect((content["content"]["attachments"][0]["source"]["cache"].string != "miss") == isCached)
                #expect(content["verdicts"][0]["result"].string == "shown")
                let detail = content["verdicts"][0]["detail"].string
                #expect(detail?.hasPrefix("cut to the first 1,000 of 1,001 frames") == true, "\(detail ?? "none")")
            }
        }
    }

    @Test func `process --format text prints a text without a terminal`() async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(
            "process", "--root", root.path, "--format", "text", "-",
            input: #"{"aps": {"alert": "x"}, "photos": "a.jpg"}"#)
        #expect(run.status == 0)
        #expect(run.output.first == "-:1: passthrough")
        #expect(run.output.contains { $0.hasPrefix("  phone    An iPhone would not run the app's extension") })
    }

    /// One of two payloads has the only connection to their host until its budget ends. With `turn`, the budget of the
    /// other payload starts when this first budget ends. With `reading`, both budgets start when the payloads are read.
    @Test(arguments: [("turn", true), ("reading", false)])
    func `--budget-from turn starts the budget at the permit, and --budget-from reading starts it at the reading`(
        _ start: String, _ isInTurn: Bool
    ) async throws {
        let root = try TemporaryDirectory()
        let config = try root.write(
            "fetch:\n  connectionsPerHost: 1\n  stalledConnectionsPerHost: 0\n  hedgeAfter: none\n", as: "one.yaml")
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let payload = #"{"title": "t", "media": [{"url": "\#(origin.baseURL)/stall/headers/grey.jpg?"}]}"#
            let run = try await ProgramRun.appgroupd(
                "process", "--root", "\(root.path)/root", "--config", config, "--allow-address", "127.0.0.1",
                "--budget", "2s", "--budget-from", start, "-",
                input: ["1", "2"].map { payload.replacingOccurrences(of: "?", with: "?\($0)") }.joined(separator: "\n"))
            let begun = try run.contents.compactMap { $0["timing"]["receivedAt"]?.string.flatMap(Timestamp.parse) }
            #expect(begun.count == 2)
            let between = abs(begun[0].timeIntervalSince(begun[1]))
            #expect((between >= 1.5) == isInTurn, "\(between) s")
        }
    }

    @Test func `after SIGTERM, process prints the results that wait for earlier payloads`() async throws {
        let root = try TemporaryDirectory()
        let streams = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            // The first argument is a pipe to which no process writes, so the result of the second argument is not
            // printed yet.
            let pipe = try #require(try? root.makeFIFO("front"))
            let url = origin.baseURL + "/stall/headers/grey.jpg"
            let (process, ending) = try ProgramRun.start(
                ["process", "--root", root.path, "--allow-address", "127.0.0.1", "--budget", "60s", pipe, "-"],
                input: #"{"title": "t", "body": "b", "media": [{"url": "\#(url)"}]}"#, in: streams)
            await origin.waitUntil { $0.stallsReached == 1 }
            process.terminate()
            await ending.wait()
            #expect(process.terminationStatus == 1)
            let line = try #require(try streams.lines("out").first)
            #expect(try JSONParser.value(of: line)["outcome"] == "cancelled")
        }
    }

    @Test func `takeRemaining returns the remaining elements in order`() {
        var order = Sequencer<String>()
        _ = order.insert("2.0", at: PayloadPlace(file: 2, object: 0))
        _ = order.insert("1.3", at: PayloadPlace(file: 1, object: 3))
        #expect(order.takeRemaining() == ["1.3", "2.0"])
        #expect(order.takeRemaining() == [])
    }
}
