import Authentication
import Base
import FoundationEssentials
import HTTPAPI
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// Tests of the routes of callbacks.
@Suite(.timeLimit(.minutes(1))) struct CallbackRouteTests {
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private static var callback: Callback {
        Callback(
            number: 7, id: "msg_a", target: "gateway", key: FakeCoordinator.key("a"), type: "notification.rich",
            body: Array(#"{"type":"notification.rich"}"#.utf8), byteCount: 28, state: .failed, attempts: 10,
            createdAt: date, attemptedAt: date, status: 500, problem: "the target answered 500")
    }

    /// A port with one message and one target.
    private struct Port: CallbackIntake {
        let asked = Record<String>()
        var isReadable = true

        func callbacks(_ query: CallbackQuery) async -> ListPage<Callback>? {
            asked.append("\(query.target ?? "-") \(query.state?.rawValue ?? "-") \(query.limit) \(query.before ?? 0)")
            return isReadable ? ListPage(elements: [CallbackRouteTests.callback], next: 7) : nil
        }
        func callback(_ id: String) async -> Callback?? {
            isReadable ? .some(id == "msg_a" ? CallbackRouteTests.callback : nil) : nil
        }
        func targets() async -> [CallbackTargetReport]? {
            var record = CallbackTargetRecord(name: "gateway")
            (record.disabledAt, record.reason) = (CallbackRouteTests.date, "the target answered 410 (Gone)")
            let report = CallbackTargetReport(
                record: record, url: "https://gateway.example/hook", backlog: CallbackBacklog(), coolsDownUntil: nil,
                publicKeys: ["whpk_a"])
            return isReadable ? [report] : nil
        }
        func resend(_ id: String) async -> Bool? {
            asked.append("resend \(id)")
            return true
        }
        func recover(_ target: String, since date: Date?) async -> CallbackRecovery {
            asked.append("recover \(target) \(date.map { "\(Int($0.timeIntervalSince1970))" } ?? "none")")
            return target == "gateway" ? .done(3) : .unknownTarget
        }
        func disable(_ target: String) async -> CallbackRecovery { target == "gateway" ? .done(0) : .failed }
    }

    @Test func `the messages are listed by their target and their state`() async throws {
        let port = Port()
        try await ServerBench.run(callbacks: port) { server in
            let all = try await server.send("GET", "/v1/callbacks")
            #expect(all.status == 200)
            let shown = all.json["callbacks"]?.array?.first
            #expect(shown?["id"] == "msg_a" && shown?["notification"] == "a" && shown?["state"] == "failed")
            #expect(shown?["status"] == 500 && shown?["body"] == nil)
            let next = try #require(all.json["next"]?.string)
            let page = "/v1/callbacks?target=gateway&state=failed&limit=5&cursor=\(next)"
            #expect(try await server.send("GET", page).status == 200)
            for wrong in ["state=sent", "limit=0", "cursor=-!", "group=a"] {
                #expect(try await server.send("GET", "/v1/callbacks?\(wrong)").status == 400)
            }
        }
        #expect(port.asked.elements == ["- - 50 0", "gateway failed 5 7"])
    }

    @Test func `a message is shown with its body, and sent again`() async throws {
        let port = Port()
        try await ServerBench.run(callbacks: port) { server in
            let shown = try await server.send("GET", "/v1/callbacks/msg_a")
            #expect(shown.json["body"]?["type"] == "notification.rich")
            #expect(try await server.send("POST", "/v1/callbacks/msg_a/resend").status == 202)
            #expect(try await server.send("GET", "/v1/callbacks/msg_b").status == 404)
            #expect(try await server.send("POST", "/v1/callbacks/msg_b/resend").status == 404)
            #expect(try await server.send("GET", "/v1/callbacks/\(String(repeating: "x", count: 65))").status == 404)
        }
        #expect(port.asked.elements == ["resend msg_a"])
    }

    @Test func `a target is shown with its state, recovered and disabled`() async throws {
        let port = Port()
        try await ServerBench.run(callbacks: port) { server in
            let targets = try await server.send("GET", "/v1/callback-targets").json["targets"]?.array
            #expect(targets?.first?["state"] == "disabled" && targets?.first?["publicKeys"] == ["whpk_a"])
            let place = "/v1/callback-targets/gateway"
            let recovered = try await server.send("POST", "\(place)/recover?since=2027-01-15T08:00:00Z")
            #expect(recovered.json == ["target": "gateway", "again": 3])
            #expect(try await server.send("POST", "\(place)/recover").status == 200)
            #expect(try await server.send("POST", "\(place)/recover?since=noon").status == 400)
            #expect(try await server.send("POST", "\(place)/disable").status == 200)
            #expect(try await server.send("POST", "/v1/callback-targets/other/recover").status == 404)
            #expect(try await server.send("POST", "/v1/callback-targets/other/disable").status == 503)
        }
        #expect(
            port.asked.elements == ["recover gateway 1800000000", "recover gateway none", "recover other none"])
    }

    @Test func `a journal that cannot be read is a problem of the storage`() async throws {
        try await ServerBench.run(callbacks: Port(isReadable: false)) { server in
            for path in ["/v1/callbacks", "/v1/callbacks/msg_a", "/v1/callback-targets"] {
                let answer = try await server.send("GET", path)
                #expect(answer.status == 503)
            }
        }
    }
}
