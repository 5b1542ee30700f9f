import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of payloads of several dialects with the whole programs.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeDialectTests {
    private static let dialect = """
        dialects:
          - name: acme
            recognisedBy: acme.push
            media: ['acme.items[].picture', acme.hero]
            type: 'acme.items[].kind'
            title: acme.title
            fallback: {body: acme.plain}
            identifier: acme.push
        """

    private static func payload(_ image: String) -> String {
        #"""
        {"acme":{"push":"p-7","title":"New","plain":"Without","items":[{"picture":"\#(image)","kind":"jpg"}]},
         "aps":{"alert":"A","mutable-content":1}}
        """#
    }

    @Test func `process reads a dialect that is defined only in the configuration`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let directory = try TemporaryDirectory()
            let configuration = try directory.write(Self.dialect, as: "appgroupd.yaml")
            for (image, outcome) in [(origin.image, "rich"), (origin.baseURL + "/status/404/x.jpg", "fallback")] {
                let run = try await ProgramRun.appgroupd(
                    "process", "--config", configuration, "--root", directory.path + "/root", "--allow-address",
                    "127.0.0.0/8", "-", input: Self.payload(image))
                let content = try JSONParser.value(of: try #require(run.output.first))
                #expect(content["dialect"] == "acme")
                #expect(content["detectedBy"] == "acme.push")
                #expect(content["providerId"] == "p-7")
                #expect(content["outcome"]?.string == outcome)
                #expect(content["content"]["title"] == "New")
                #expect(content["content"]["body"]?.string == (outcome == "rich" ? "A" : "Without"))
                #expect(content["verdicts"]?.array?.first["url"]?.string == image)
            }
        }
    }

    @Test func `a reload adds and removes a configured dialect`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let configuration = try root.write("log: {level: info}\n", as: "appgroupd.yaml")
                let daemon = try await root.start("--config", configuration)
                let payload = Self.payload(origin.image)
                let client = root.client
                func dialect() async throws -> String? { try await client.post(payload).json["dialect"]?.string }
                #expect(try await dialect() == "apns")
                for (text, expected) in [(Self.dialect, "acme"), ("log: {level: info}\n", "apns")] {
                    try Data(text.utf8).write(to: URL(filePath: configuration))
                    daemon.send(SIGHUP)
                    try await daemon.log.wait(for: "dialects", count: expected == "acme" ? 1 : 2)
                    #expect(try await dialect() == expected)
                }
            }
        }
    }

    @Test func `an alert shows the files of its silent push even if the origin no longer runs`() async throws {
        try await ServedRoot.withRoot { root in
            // The HTTP cache is off, because it would serve the file to every request.
            try Data("fetch: {cacheQuota: 0}\n".utf8).write(to: URL(filePath: root.path + "/appgroupd.yaml"))
            _ = try await root.start("--config", root.path + "/appgroupd.yaml")
            let client = root.client
            func push(_ url: String, _ stage: String) -> String {
                let aps = stage == "prefetch" ? #"{"content-available":1}"# : #"{"alert":"B","mutable-content":1}"#
                return #"""
                    {"aps":\#(aps),"appear2mee":{"id":"msg","stage":"\#(stage)","urls":["\#(url)"],"fbText":"F",
                     "playTime":4102444800000,"expiry":1440}}
                    """#
            }
            var url = ""
            try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
                url = origin.image
                let content = try await client.post(push(url, "prefetch")).json
                #expect(content["outcome"] == "prefetched")
                #expect(content["content"]["body"] == "")
            }
            let content = try await client.post(push(url, "alert")).json
            #expect(content["outcome"] == "rich")
            let attachment = content["content"]["attachments"]?.array?.first
            #expect(attachment["source"]["cache"] == "hit")
            let path = try #require(attachment["path"]?.string)
            #expect(FileManager.default.fileExists(atPath: root.path(path)))
            // Another message, or the same message for another platform, does not get the file.
            let other = try await client.post(push(url, "alert").replacingOccurrences(of: "msg", with: "other")).json
            #expect(other["outcome"] == "fallback")
            let web = try await client.post(
                ServedPayload.envelope(push(url, "alert"), budget: "5s", #", "profile": "web""#)
            ).json
            #expect(web["outcome"] == "fallback")
        }
    }

    @Test func `the text is in the recipient's language if the group has a string table for it`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            try FileManager.default.createDirectory(atPath: root.path("strings"), withIntermediateDirectories: true)
            try Data(#"{"HELLO":"Hallo %@"}"#.utf8).write(to: URL(filePath: root.path("strings/de.json")))
            let payload = #"{"aps":{"alert":{"title":"Hello","title-loc-key":"HELLO","title-loc-args":["Ana"]}}}"#
            let german = try await root.client.post(
                ServedPayload.envelope(payload, budget: "5s", #", "locale": "de-AT""#)
            ).json
            #expect(german["content"]["title"] == "Hallo Ana")
            let other = try await root.client.post(payload).json
            #expect(other["content"]["title"] == "Hello")
        }
    }

    @Test func `a Matrix file is requested from the homeserver, and the token is never printed`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let directory = try TemporaryDirectory()
            let token = try directory.write("syt_secret\n", as: "token")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token)
            // A homeserver on loopback with https would need a certificate. So this homeserver has a port without a
            // server.
            let configuration = try directory.write(
                "matrix:\n  homeserver: https://127.0.0.1:9\n  tokenFile: \(token)\n", as: "appgroupd.yaml")
            let payload = """
                {"notification":{"devices":[{"app_id":"a.prod","pushkey":"a2V5"}],"event_id":"$e","room_id":"!r:x",
                 "content":{"body":"b","url":"mxc://m.example/id"}}}
                """
            let run = try await ProgramRun.appgroupd(
                "process", "--config", configuration, "--root", directory.path + "/root", "--allow-address",
                "127.0.0.0/8", "-", input: payload)
            let content = try JSONParser.value(of: try #require(run.output.first))
            #expect(content["reason"] == "connect-failed")
            #expect(content["verdicts"]?.array?.first["url"] == "mxc://m.example/id")
            let words = (run.output + run.errors).joined()
            #expect(!words.contains("syt_secret"))
            let shown = try await ProgramRun.appgroupd("config", "--config", configuration)
            #expect(!shown.output.joined().contains("syt_secret"))
            #expect(origin.counts.connectionsOpen == 0)
        }
    }
}
