import Base
import FeatureKit
import Foundation
import GRDB
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of receipts, exports and repeated events with a real daemon and an origin.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ServeReceiptTests {
    private static func payload(_ url: String, id: String, to recipient: String, message: String) -> String {
        #"{"id":"\#(id)","recipient":"\#(recipient)","payload":{"aps":{"alert":"A photo","mutable-content":1,"thread-id":"t"},"image":"\#(url)","messageId":"\#(message)"}}"#
    }

    private static func report(_ path: String, _ client: DaemonClient) async throws -> DaemonClient.Answer {
        try await client.request("POST", "/v1/receipts/\(path)")
    }

    private static func lines(_ target: String, _ client: DaemonClient) async throws -> [JSONValue] {
        let lines = Guarded<[JSONValue]>([])
        try await client.forEachLine(ofWhole: target) { line in
            if let value = try? JSONParser.value(of: line) { lines.withLock { $0.append(value) } }
        }
        return lines.withLock { $0 }
    }

    @Test func `a read thread takes back its running requests, and the lists and the index have the time`() async throws
    {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let shown = try await root.client.post(
                    Self.payload(origin.image, id: "a", to: "anna", message: "m1"))
                #expect(shown.json["outcome"] == "rich")
                #expect(try await Self.report("a/delivered?at=2026-01-01T00:00:00Z", root.client).status == 200)
                for (id, recipient) in [("b", "anna"), ("c", "ben")] {
                    let url = origin.baseURL + "/stall/headers/photo-small.jpg"
                    let accepted = try await root.client.post(
                        Self.payload(url, id: id, to: recipient, message: "m2"), ["prefer": "respond-async"])
                    #expect(accepted.status == 202)
                }
                let read = try await Self.report("t/read?by=thread&recipient=anna", root.client)
                #expect(read.json == ["notifications": 1, "cancelled": 1], "\(read.text)")
                #expect(try await root.client.get("b").json["outcome"] == "cancelled")
                #expect(try await root.client.get("c").json["state"] == "running")
                let list = try await root.client.request("GET", "/v1/notifications?recipient=anna&order=oldest").json
                let receipts = list["notifications"]?.array?.map { $0["receipts"]?.object?.keys ?? [] }
                #expect(receipts == [["delivered", "read"], []])
                let threads = try await root.client.request("GET", "/v1/threads?recipient=anna").json
                #expect(threads["threads"]?.array?.first?["unread"]?.integer == 0)
                let index = try DatabaseQueue(path: root.path("index.sqlite"))
                let times = try index.read { database in
                    try Row.fetchOne(database, sql: "SELECT deliveredAt, readAt FROM message WHERE id = 'a'")
                }
                #expect(times?["deliveredAt"] == 1_767_225_600)
                #expect((times?["readAt"] ?? 0) > 1_767_225_600)
                #expect(try await root.client.request("DELETE", "/v1/notifications/c").status == 204)
            }
        }
    }

    @Test func `a device without a token reports by the signed URLs of its result, until the key is replaced`()
        async throws
    {
        try await ServedRoot.withRoot { root in
            let (port, keyPath) = (
                try LoopbackPort.free(), try root.write(String(repeating: "k", count: 43), as: "key")
            )
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyPath)
            let yaml = try root.write(
                "receipts: {publicURL: \"http://127.0.0.1:\(port)\", signingKeyFile: \(keyPath)}\n",
                as: "appgroupd.yaml")
            let daemon = try await root.start("--config", yaml, "--listen", "127.0.0.1:\(port)")
            let text = #"{"id":"a:1","recipient":"anna b","payload":{"aps":{"alert":"A text"}}}"#
            let urls = try #require(try await root.client.post(text).json["receiptURLs"]?.object)
            let device = DaemonClient(host: "127.0.0.1", port: Int(port))
            func call(_ url: String?) async throws -> DaemonClient.Answer {
                let target = try #require(url).replacing("http://127.0.0.1:\(port)", with: "")
                return try await device.request("POST", target, headers: ["origin": "https://shop.example"])
            }
            for event in ["delivered", "clicked", "clicked"] {
                let answer = try await call(urls[event]?.string)
                #expect(answer.json == ["notifications": 1, "cancelled": 0], "\(answer.text)")
            }
            let other = try await call(urls["read"]?.string?.replacing("/read?", with: "/deleted?"))
            #expect(other.status == 403 && other.json["refusal"] == "forged")
            let list = try await root.client.request("GET", "/v1/notifications?recipient=anna%20b").json
            let receipts = list["notifications"]?.array?.first?["receipts"]?.object?.keys ?? []
            #expect(Set(receipts) == ["clicked", "delivered"])
            _ = try root.write(String(repeating: "n", count: 43), as: "key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyPath)
            daemon.send(SIGHUP)
            try await wait(for: "the new key") { try await call(urls["read"]?.string).status == 403 }
        }
    }

    @Test func `an export has the recipient, its notifications, and the named messages that name it`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            let put = try await root.client.request(
                "PUT", "/v1/recipients/anna", body: Array(#"{"names":["token-1"],"labels":["x"]}"#.utf8))
            #expect(put.status == 201)
            for (id, recipient) in [("a", "anna"), ("b", "ben"), ("c", "token-1")] {
                let body = #"{"id":"\#(id)","recipient":"\#(recipient)","payload":{"aps":{"alert":"Text of \#(id)"}}}"#
                #expect(try await root.client.post(body).status == 200)
            }
            for (name, recipient) in [("mine", "anna"), ("other", "ben")] {
                let message = try await root.client.request(
                    "PUT", "/v1/messages/\(name)", headers: ["prefer": "wait=10"],
                    body: Array(#"{"recipient":"\#(recipient)","payload":{"aps":{"alert":"M"}}}"#.utf8))
                #expect(message.status == 201, "\(message.text)")
            }
            let lines = try await Self.lines("/v1/recipients/token-1/export", root.client)
            #expect(lines.first?["recipient"]?["labels"] == ["x"])
            let notifications = lines.compactMap { $0["notification"] }
            let bodies = notifications.map { $0["content"]?["content"]?["body"]?.string }
            #expect(bodies == ["Text of a", "Text of c", "M"])
            #expect(lines.compactMap { $0["message"]?["name"]?.string } == ["mine"])
            #expect(lines.last?["summary"] == ["notifications": 3, "messages": 1, "complete": true])
            let unknown = try await Self.lines("/v1/recipients/carl/export", root.client)
            #expect(unknown.count == 2 && unknown.first?["recipient"] == .null)
        }
    }

    @Test func `after a restart, a client gets a gap and the emissions that it has missed`() async throws {
        try await ServedRoot.withRoot { root in
            let first = try await root.start()
            let events = try await ServedEvents.listen(to: root.client)
            _ = try await root.client.post(#"{"id":"a","payload":{"aps":{"alert":"A","thread-id":"t"}}}"#)
            let seen = try await events.events.first { $0["id"] == "a" && $0["event"] == "emitted" }
            let last = try #require(seen["eventId"]?.string)
            _ = try await first.terminate()
            events.close()
            _ = try await root.start()
            _ = try await root.client.post(#"{"id":"b","payload":{"aps":{"alert":"B","thread-id":"t"}}}"#)
            _ = try await root.client.post(#"{"id":"c","payload":{"aps":{"alert":"C","thread-id":"other"}}}"#)
            let texts = try await Self.events("/v1/events?thread=t", after: last, from: root.client, until: "b")
            #expect(texts.first?["event"] == "gap" && texts.first?["emissions"] == "repeated")
            #expect(texts.last?["event"] == "emitted")
            #expect(texts.dropFirst().compactMap { $0["id"]?.string } == ["a", "b"])
        }
    }

    /// Returns the first events of a stream, until an event of a request.
    private static func events(
        _ target: String, after id: String, from client: DaemonClient, until last: String
    ) async throws -> [JSONValue] {
        let arrivals = ServedArrivals<JSONValue>()
        let reading = Task {
            defer { arrivals.finish() }
            let event = Guarded(ServerSentEvent())
            try await client.forEachLine(of: target, headers: ["last-event-id": id]) { line in
                guard let line = event.withLock({ $0.take(line) }) else { return }
                if let value = try? JSONParser.value(of: line) { arrivals.append(value) }
            }
        }
        defer { reading.cancel() }
        return try await arrivals.wait { elements in
            elements.contains { $0["id"]?.string == last } ? elements : nil
        }
    }
}
