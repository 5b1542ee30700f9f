import Base
import FoundationEssentials
import Glibc
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of the push gateway for homeservers with a running daemon.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeMatrixTests {
    private static let configuration = """
        matrix:
          paths: [/push/notify]
          apps: {com.example*: {group: group.com.example.app}}
        """
    private static let devices = """
        [{"app_id":"com.example.ios.dev","pushkey":"one","tweaks":{"sound":"bing"},"data":{"lang":"de"}},
         {"app_id":"com.example.android","pushkey":"two","tweaks":{"sound":"ring","highlight":true}}]
        """

    private static func notify(
        _ client: DaemonClient, _ members: String, _ devices: String = devices, at path: String = "/push/notify"
    ) async throws -> DaemonClient.Answer {
        let body = #"{"notification":{\#(members),"devices":\#(devices)}}"#
        return try await client.request("POST", path, body: Array(body.utf8))
    }

    /// Returns the results of a group that the daemon emits during a function.
    private static func results(
        _ count: Int, of root: ServedRoot, _ body: () async throws -> Void
    ) async throws -> [JSONValue] {
        let events = try await ServedEvents.listen(to: root.client)
        defer { events.close() }
        try await body()
        // The requests of the listener itself have no recipient.
        let ids = try await events.events.wait { events in
            let found = events.filter { $0["event"] == "emitted" && $0["recipient"]?.string != nil }
            return found.count >= count ? found.compactMap { $0["id"]?.string } : nil
        }
        #expect(ids.count == count)
        var results: [JSONValue] = []
        for id in ids { results.append(try await root.client.get(id + "?group=group.com.example.app").json) }
        return results
    }

    /// Returns the number of devices with a result of the gateway.
    private static func devices(_ result: String, of client: DaemonClient) async throws -> Int {
        let answer = try await client.request("GET", "/metrics")
        let metrics = try ServedMetrics(String(decoding: answer.body, as: UTF8.self))
        return Int(metrics.value("appgroupd_matrix_devices_total", labels: "\"\(result)\"") ?? 0)
    }

    @Test func `a repeated push has one result for each device, and a badge has a result each time`() async throws {
        try await ServedRoot.withRoot { root in
            let configuration = try root.write(Self.configuration, as: "appgroupd.yaml")
            let daemon = try await root.start("--config", configuration)
            let event = #""event_id":"$1","room_name":"Garden","content":{"body":"Hello"},"counts":{"unread":%}"#
            let results = try await Self.results(2, of: root) {
                for count in ["1", "1", "2"] {
                    let answer = try await Self.notify(root.client, event.replacing("%", with: count))
                    #expect(answer.status == 200 && answer.json == ["rejected": []])
                }
            }
            #expect(results.map { $0["recipient"]?.string } == ["one", "two"])
            #expect(results.map { $0["profile"]?.string } == ["ios", "android"])
            #expect(results.map { $0["content"]["sound"]["name"]?.string } == ["bing", "ring"])
            #expect(results.map { $0["content"]["interruptionLevel"]?.string } == ["active", "time-sensitive"])
            #expect(results.map { $0["details"]["environment"]?.string } == ["development", "production"])
            #expect(results.allSatisfy { $0["content"]["body"] == "Hello" && $0["content"]["badge"] == 1 })
            #expect(results.allSatisfy { $0["details"]["devices"]?.array?.count == 1 })
            #expect(try await Self.devices("accepted", of: root.client) == 2)
            #expect(try await Self.devices("joined", of: root.client) == 4)

            // The next daemon knows the event.
            try await daemon.kill()
            _ = try await root.start("--config", configuration)
            #expect(try await Self.notify(root.client, event.replacing("%", with: "3")).status == 200)
            #expect(try await Self.devices("joined", of: root.client) == 2)
            #expect(try await Self.devices("accepted", of: root.client) == 0)
            let badges = try await Self.results(4, of: root) {
                for _ in 0..<2 {
                    let answer = try await Self.notify(
                        root.client, #""id":"","type":null,"sender":"","counts":{"unread":0}"#)
                    #expect(answer.status == 200)
                }
            }
            #expect(badges.allSatisfy { $0["content"]["badge"] == 0 && $0["content"]["body"] == "" })
        }
    }

    @Test func `a reload changes the paths and the apps of the gateway`() async throws {
        try await ServedRoot.withRoot { root in
            let configuration = try root.write("matrix: {paths: [/a]}\n", as: "appgroupd.yaml")
            let daemon = try await root.start("--config", configuration)
            let badge = #""counts":{"unread":0}"#
            #expect(try await Self.notify(root.client, badge, at: "/a").status == 200)
            #expect(try await Self.notify(root.client, badge).status == 404)
            try Data(Self.configuration.utf8).write(to: URL(filePath: configuration))
            daemon.send(SIGHUP)
            try await daemon.log.wait(for: "matrix.paths")
            #expect(try await Self.notify(root.client, badge, at: "/a").status == 404)
            let results = try await Self.results(2, of: root) { _ = try await Self.notify(root.client, badge) }
            #expect(results.map { $0["appGroup"] } == ["group.com.example.app", "group.com.example.app"])
        }
    }
}
