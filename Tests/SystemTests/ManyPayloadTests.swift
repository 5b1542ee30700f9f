import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of many payloads, of slow readers and writers, and of the end of the program.
@Suite struct ManyPayloadTests {
    @Test func `an invalid line does not affect other payloads`() async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(
            "process", "--root", root.path, "-",
            input: "{\"aps\": {\"alert\": \"1\"}}\n{bad}\n{\"aps\": {\"alert\": \"3\"}}\n")
        #expect(run.status == 1)
        #expect(run.errors.count == 1)
        let bodies = try run.contents.map { $0["content"]["body"]?.string }
        #expect(bodies == ["1", "3"])
    }

    @Test func `each element of an array is a separate payload`() async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(
            "process", "--root", root.path, "-",
            input: """
                [{"to": "ExponentPushToken[a]", "title": "1", "body": "x"},
                 {"to": "ExponentPushToken[b]", "title": "2", "body": "x"}, 7]
                {"aps": {"alert": {"title": "3"}}}
                """)
        #expect(run.status == 1)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains("a number, not an object") == true)
        #expect(try run.contents.map { $0["content"]["title"]?.string } == ["1", "2", "3"])
        #expect(try run.contents.map { $0["dialect"]?.string } == ["expo", "expo", "apns"])
    }

    @Test func `the results of a thousand payloads are in the order of the payloads`() async throws {
        let root = try TemporaryDirectory()
        let input = (0..<1_000).map { #"{"id": "n-\#($0)", "payload": {"aps": {"alert": "x"}}}"# }.joined(
            separator: "\n")
        let run = try await ProgramRun.appgroupd("process", "--root", root.path, "-", input: input)
        #expect(run.status == 0)
        let ids = try run.contents.compactMap { $0["id"]?.string }
        #expect(ids == (0..<1_000).map { "n-\($0)" })
    }

    @Test func `SIGTERM cancels a running payload, which is emitted with its fallback text`() async throws {
        let root = try TemporaryDirectory()
        let streams = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = origin.baseURL + "/stall/after/1000/coach/week3.mp4"
            let (process, ending) = try ProgramRun.start(
                ["process", "--root", root.path, "--allow-address", "127.0.0.1", "--budget", "60s", "-"],
                input: #"{"title": "t", "body": "b", "fallback": {"body": "later"}, "media": [{"url": "\#(url)"}]}"#,
                in: streams)
            await origin.waitUntil { $0.stallsReached == 1 }
            process.terminate()
            await ending.wait()
            let line = try #require(try streams.lines("out").first)
            let content = try JSONParser.value(of: line)
            #expect(content["outcome"] == "cancelled")
            #expect(content["content"]["body"] == "later")
        }
    }

    /// There are more payloads than can be in progress. Each waits for a stalled origin or for a permit of its host.
    @Test func `after SIGINT, each payload that was read has a result, and unread input is reported`() async throws {
        let root = try TemporaryDirectory()
        let streams = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = origin.baseURL + "/stall/after/1000/coach/week3.mp4"
            let lines = (1...600).map { #"{"title": "\#($0)", "media": [{"url": "\#(url)?\#($0)"}]}"# }
            let many = try root.write(lines.joined(separator: "\n"), as: "many.ndjson")
            let last = try root.write("{}", as: "last.json")
            let (process, ending) = try ProgramRun.start(
                ["process", "--root", root.path, "--allow-address", "127.0.0.1", "--budget", "60s"]
                    + [many] + Array(repeating: last, count: 300), in: streams)
            await origin.waitUntil { $0.stallsReached >= 1 }
            process.interrupt()
            await ending.wait()
            #expect(process.terminationStatus == 1)
            let contents = try streams.lines("out").map { try JSONParser.value(of: $0) }
            let read = contents.filter { $0["input"]["file"]?.string == many }
            #expect((1..<600).contains(read.count))
            #expect(read.map { $0["input"]["line"]?.integer } == Array(1...max(1, read.count)))
            let errors = try streams.lines("err")
            #expect(
                errors.last?.contains("there is no result of \(many) after line \(read.count)") == true, "\(errors)")
        }
    }

    @Test func `the message about unread input has the number of files`() {
        var unread = UnreadInput()
        #expect(unread.sentence == nil)
        unread.add(PayloadInput(file: "a.json", line: 0), index: 7, further: 0)
        #expect(unread.sentence == "interrupted: there is no result of a.json, because it was not read")
        unread.add(PayloadInput(file: "b.json", line: 3), index: 0, further: 2)
        #expect(unread.sentence?.contains("of b.json after line 3, and of 3 further files,") == true)
    }

    @Test func `the sequencer returns elements in the order of files and objects`() {
        var order = Sequencer<String>()
        func place(_ file: Int, _ object: Int) -> PayloadPlace { PayloadPlace(file: file, object: object) }
        #expect(order.insert("1.0", at: place(1, 0)) == [])
        #expect(order.insert("0.1", at: place(0, 1)) == [])
        #expect(order.insert("0.0", at: place(0, 0)) == ["0.0", "0.1"])
        #expect(order.end(file: 1, count: 1) == [])
        #expect(order.insert("0.0 again", at: place(0, 0)) == ["0.0 again"])
        #expect(order.end(file: 0, count: 2) == ["1.0"])
        #expect(order.passedFiles == 2)
    }
}
