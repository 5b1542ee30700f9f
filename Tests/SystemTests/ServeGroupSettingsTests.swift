import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of one daemon for two apps, each with its own settings.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeGroupSettingsTests {
    /// The settings of two apps that differ in each kind of setting.
    private static func settings(
        _ first: MisbehavingOrigin, _ second: MisbehavingOrigin, accept: String = "Watch", budget: String = "7s"
    ) -> String {
        """
        twomee: {accept: OK}
        groups:
          group.a:
            budget: \(budget)
            twomee: {accept: \(accept)}
            matrix: {homeserver: "\(first.baseURL)"}
            fetch: {headers: {127.0.0.1: {Authorization: Bearer a}}}
            publicURL: https://a.example
            media: {quota: 1MiB}
          group.b:
            twomee: {accept: Ansehen, sounds: {image: bell.aiff}}
            matrix: {homeserver: "\(second.baseURL)"}
            permissions: {download: false}
            requests: {perGroup: 1}
            profile: web

        """
    }

    private static func withDaemon(
        _ body: (ServedRoot, ServedDaemon, _ first: MisbehavingOrigin, _ second: MisbehavingOrigin) async throws -> Void
    ) async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { first in
            try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { second in
                try await ServedRoot.withRoot { root in
                    let path = try root.write(settings(first, second), as: "appgroupd.yaml")
                    try await body(root, try await root.start("--config", path), first, second)
                }
            }
        }
    }

    private static func post(_ payload: String, to group: String, at root: ServedRoot) async throws -> JSONValue {
        let answer = try await root.client.request(
            "POST", "/v1/notifications?group=\(group)", body: Array(payload.utf8))
        #expect(answer.status == 200, "\(answer.json)")
        return answer.json
    }

    private static func accept(of content: JSONValue) -> String? {
        content["content"]["actions"]?.array?.first { $0["identifier"] == "accept" }?["title"]?.string
    }

    @Test func `each group has its own labels, credentials, URL, profile and permissions`() async throws {
        try await Self.withDaemon { root, _, first, second in
            let image = ServedPayload.twoMee(first.image, providerID: "1")
            let a = try await Self.post(image, to: "group.a", at: root)
            #expect(a["outcome"] == "rich" && a["profile"] == "ios" && Self.accept(of: a) == "Watch")
            #expect(a["timing"]["budgetMs"] == 7_000)
            let url = a["content"]["attachments"]?.array?.first?["publicURL"]?.string
            #expect(url?.hasPrefix("https://a.example/v1/media/group.a/") == true)
            #expect(first.counts.requestsAuthorized == 1)

            let b = try await Self.post(image, to: "group.b", at: root)
            #expect(b["outcome"] == "fallback" && b["reason"] == "download-not-permitted" && b["profile"] == "web")
            let other = try await Self.post(ServedPayload.media([first.image]), to: "group.default", at: root)
            #expect(other["outcome"] == "rich")
            #expect(other["content"]["attachments"]?.array?.first?["publicURL"] == .null)
            #expect(first.counts.requests == 2 && first.counts.requestsAuthorized == 1)
            #expect(second.counts.requests == 0)
        }
    }

    @Test func `each group fetches from its own homeserver`() async throws {
        try await Self.withDaemon { root, _, first, second in
            let permitted = #""permissions": {"download": true}, "#
            for (group, origin) in [("group.a", first), ("group.b", second)] {
                let before = origin.counts.requests
                let payload = """
                    {\(permitted)"payload": {"notification": {"type": "m.room.message", "room_id": "!a:b", "event_id": "$1",
                     "sender_display_name": "Ann", "content": {"msgtype": "m.image", "body": "x", "url": "mxc://b/c"},
                     "devices": [{"app_id": "a", "pushkey": "k"}]}}}
                    """
                _ = try await Self.post(payload, to: group, at: root)
                #expect(origin.counts.requests > before, "\(group)")
            }
            #expect(first.counts.requests <= 3 && second.counts.requests <= 3)
        }
    }

    @Test func `a group that is reloaded with an error keeps its settings, and the other group changes`() async throws {
        try await Self.withDaemon { root, daemon, first, second in
            let settings = Self.settings(first, second, accept: "Look", budget: "soon")
            _ = try root.write(settings.replacing("Ansehen", with: "Anschauen"), as: "appgroupd.yaml")
            daemon.send(SIGHUP)
            let record = try await daemon.log.wait(for: "the settings of group.a are not reloaded")
            #expect(record["level"] == "error")
            #expect(record["message"]?.string?.contains("groups.group.a.budget: \"soon\" is not a duration") == true)
            try await daemon.log.wait(for: "groups.group.b.twomee.accept is now Anschauen, was Ansehen")
            let image = ServedPayload.twoMee(first.image, providerID: "1")
            let a = try await Self.post(image, to: "group.a", at: root)
            #expect(a["timing"]["budgetMs"] == 7_000 && Self.accept(of: a) == "Watch")
            let b = try await Self.post(image, to: "group.b", at: root)
            #expect(Self.accept(of: b) == "Anschauen")
            let readiness = try await root.client.request("GET", "/readyz", body: [])
            #expect(readiness.status == 200)
            let text = String(decoding: readiness.body, as: UTF8.self)
            #expect(text.contains("The new settings of group.a are invalid"), "\(text)")
        }
    }

    @Test func `groups are added and removed without a restart`() async throws {
        try await Self.withDaemon { root, daemon, first, second in
            let refused = try await root.client.request(
                "POST", "/v1/notifications?group=group.c", body: Array(ServedPayload.text("b").utf8))
            #expect(refused.status == 400)
            _ = try root.write("groups: {group.c: {twomee: {accept: New}}}\n", as: "appgroupd.yaml")
            daemon.send(SIGHUP)
            try await daemon.log.wait(for: "groups.group.c is now named, was left out")
            let c = try await Self.post(ServedPayload.twoMee(first.image, providerID: "1"), to: "group.c", at: root)
            #expect(Self.accept(of: c) == "New")
            let outbox = try await root.readOutbox(of: "group.c")
            try root.drop(ServedPayload.text("dropped"), as: "one", in: "group.c")
            _ = try await outbox.content("one")
            let removed = try await root.client.request(
                "POST", "/v1/notifications?group=group.a", body: Array(ServedPayload.text("b").utf8))
            #expect(removed.status == 400)
        }
    }

    @Test func `a group with its largest number of requests refuses more, and other groups do not`() async throws {
        try await Self.withDaemon { root, _, first, _ in
            let slow = ServedPayload.envelope(
                ServedPayload.media([first.stalled]), budget: "30s",
                #", "id": "slow", "appGroup": "group.b", "permissions": {"download": true}"#)
            let accepted = try await root.client.request(
                "POST", "/v1/notifications", headers: ["prefer": "respond-async"], body: Array(slow.utf8))
            #expect(accepted.status == 202)
            let full = try await root.client.request(
                "POST", "/v1/notifications?group=group.b", body: Array(ServedPayload.text("b").utf8))
            #expect(full.status == 503)
            _ = try await Self.post(ServedPayload.text("b"), to: "group.a", at: root)
            _ = try await root.client.request("DELETE", "/v1/notifications/slow?group=group.b", body: [])
            _ = try await Self.post(ServedPayload.text("b"), to: "group.b", at: root)
        }
    }
}
