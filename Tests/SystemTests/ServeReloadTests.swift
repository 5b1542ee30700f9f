import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of SIGHUP: some settings change in a running daemon, and the log names the others.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeReloadTests {
    private static func withDaemon(
        _ configuration: String, _ body: (MisbehavingOrigin, ServedRoot, ServedDaemon) async throws -> Void
    ) async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let path = try root.write(configuration, as: "appgroupd.yaml")
                try await body(origin, root, try await root.start("--config", path))
            }
        }
    }

    @Test func `a reload changes the budget and the denied hosts, and a second reload changes both back`() async throws
    {
        try await Self.withDaemon("budget: 30s\n") { origin, root, daemon in
            let before = try await root.client.post(ServedPayload.media([origin.image]))
            #expect(before.json["outcome"] == "rich")
            #expect(before.json["timing"]["budgetMs"] == 30_000)

            _ = try root.write("budget: 1s\nfetch:\n  denyHosts: [127.0.0.1]\n", as: "appgroupd.yaml")
            daemon.send(SIGHUP)
            try await daemon.log.wait(for: "budget is now 1s, was 30s")
            try await daemon.log.wait(for: "fetch.denyHosts is now 127.0.0.1")
            let during = try await root.client.post(ServedPayload.media([origin.image]))
            #expect(during.json["outcome"] == "fallback")
            #expect(during.json["reason"] == "forbidden-host")
            #expect(during.json["timing"]["budgetMs"] == 1_000)

            _ = try root.write("budget: 20s\n", as: "appgroupd.yaml")
            daemon.send(SIGHUP)
            try await daemon.log.wait(for: "budget is now 20s")
            let after = try await root.client.post(ServedPayload.media([origin.image]))
            #expect(after.json["outcome"] == "rich")
            #expect(after.json["timing"]["budgetMs"] == 20_000)
        }
    }

    @Test func `a reload logs each difference to the current configuration once`() async throws {
        try await Self.withDaemon("budget: 30s\n") { _, root, daemon in
            for (budget, message) in [
                ("1s", "budget is now 1s, was 30s"), ("1s", "reloaded: nothing has changed"),
                ("2s", "budget is now 2s, was 1s"), ("30s", "budget is now 30s, was 2s"),
            ] {
                _ = try root.write("budget: \(budget)\n", as: "appgroupd.yaml")
                let reported = daemon.log.lines.elements.count
                daemon.send(SIGHUP)
                try await daemon.log.lines.wait(forCount: reported + 1)
                let line = try #require(daemon.log.lines.elements.last)
                #expect(try JSONParser.value(of: line)["message"]?.string == message)
            }
        }
    }

    @Test(arguments: [
        ("budget: 1s\nbudgett: 2s\n", "appgroupd.yaml:2"), ("budget: soon\n", "appgroupd.yaml:1"),
        ("budget: 1s\nfetch:\n  denyHosts: 7\n", "appgroupd.yaml:3"), ("budget: [1s\n", "appgroupd.yaml:"),
    ])
    func `a reload with an invalid file keeps the old configuration, and the log names the line`(
        _ text: String, _ place: String
    ) async throws {
        try await Self.withDaemon("budget: 30s\n") { origin, root, daemon in
            _ = try root.write(text, as: "appgroupd.yaml")
            daemon.send(SIGHUP)
            let record = try await daemon.log.wait(for: "not reloaded:")
            #expect(record["message"]?.string?.contains(place) == true, "\(record)")
            #expect(record["level"] == "error")
            let content = try await root.client.post(ServedPayload.media([origin.image]))
            #expect(content.json["outcome"] == "rich")
            #expect(content.json["timing"]["budgetMs"] == 30_000)
        }
    }

    @Test func `a reload with a missing file keeps the old configuration`() async throws {
        try await Self.withDaemon("budget: 20s\n") { _, root, daemon in
            let path = try root.write("", as: "appgroupd.yaml")
            try FileManager.default.removeItem(atPath: path)
            daemon.send(SIGHUP)
            let record = try await daemon.log.wait(for: "not reloaded:")
            #expect(record["message"]?.string?.contains("appgroupd.yaml") == true)
            let content = try await root.client.post(ServedPayload.text("b"))
            #expect(content.json["timing"]["budgetMs"] == 20_000)
        }
    }

    @Test func `a reload logs settings that need a restart, and applies the other settings`() async throws {
        try await Self.withDaemon("workers: 1\n") { _, root, daemon in
            _ = try root.write("workers: 2\nbudget: 2s\n", as: "appgroupd.yaml")
            daemon.send(SIGHUP)
            let reported = try await daemon.log.wait(for: "workers stays 1 until a restart; the new value is 2")
            #expect(reported["level"] == "notice")
            try await daemon.log.wait(for: "budget is now")
            let content = try await root.client.post(ServedPayload.text("b"))
            #expect(content.json["timing"]["budgetMs"] == 2_000)
        }
    }

    @Test func `the last configuration is in force after many simultaneous reloads`() async throws {
        try await Self.withDaemon("budget: 30s\n") { origin, root, daemon in
            for number in 1...20 {
                _ = try root.write("budget: \(number)s\nlog:\n  level: debug\n", as: "appgroupd.yaml")
                daemon.send(SIGHUP)
            }
            try await daemon.log.wait(for: "budget is now 20s")
            let content = try await root.client.post(ServedPayload.media([origin.image]))
            #expect(content.json["outcome"] == "rich")
            #expect(content.json["timing"]["budgetMs"] == 20_000)
        }
    }
}
