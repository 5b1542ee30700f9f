import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of `process` with images that are damaged at their origin.
@Suite(.timeLimit(.minutes(1)))
struct DamagedMediaTests {
    private static func verdict(
        on url: String, in root: TemporaryDirectory, _ arguments: String...
    ) async throws -> (verdict: JSONValue, cache: String?) {
        let payload = #"{"aps":{"alert":"hi","mutable-content":1},"image":"\#(url)"}"#
        let run = try await ProgramRun.appgroupd(
            ["process", "--root", root.path + "/root", "--allow-address", "127.0.0.0/8"] + arguments + ["-"],
            input: payload)
        #expect(run.status == 0, "\(run.errors)")
        let content = try #require(try run.contents.first)
        let verdict = try #require(content["verdicts"]?.array?.first)
        return (verdict, content["content"]?["attachments"]?.array?.first?["source"]["cache"]?.string)
    }

    @Test func `a damaged image is shown, and the cached response has the same damage in its verdict`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.directory + "/damaged") { origin in
            let url = origin.baseURL + "/header/Cache-Control:max-age=600/jpeg-444-cut-81.jpg"
            for cache in ["miss", "hit"] {
                let (verdict, source) = try await Self.verdict(on: url, in: root)
                #expect(verdict["result"] == "shown" && verdict["reason"] == .null)
                #expect(verdict["detail"]?.string?.hasPrefix("damaged: 80 % of the rows; on a phone") == true)
                #expect(verdict["unError"]?.integer == 105)
                #expect(source == cache)
            }
            let yaml = try root.write("media: {damaged: refuse}\n", as: "appgroupd.yaml")
            let (refused, _) = try await Self.verdict(on: url, in: root, "--config", yaml)
            #expect(refused["result"] == "omitted" && refused["reason"] == "corrupt-media")
        }
    }

    @Test func `a truncated transfer shows the received rows, with the reason truncated`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.directory + "/damaged") { origin in
            let url = origin.baseURL + "/lie/length/jpeg-444-cut-81.jpg"
            let (verdict, _) = try await Self.verdict(on: url, in: root)
            #expect(verdict["result"] == "shown" && verdict["reason"] == "truncated")
            let yaml = try root.write("media: {damaged: refuse}\n", as: "appgroupd.yaml")
            let (refused, _) = try await Self.verdict(on: url, in: root, "--config", yaml)
            #expect(refused["result"] == "omitted" && refused["reason"] == "truncated")
        }
    }
}
