import Base
import Logging
import NotificationModel
import Testing

@testable import Features
@testable import HTTPAPI

/// Calls of homeservers: the requests that a push makes, and the responses.
@Suite(.timeLimit(.minutes(1)))
struct MatrixGatewayTests {
    private static let none = #"{"rejected":[]}"#

    private static func apps() -> MatrixApps {
        MatrixApps([
            .init(pattern: "com.example*", group: AppGroupName("group.com.example.app")),
            .init(pattern: "com.example.tv", profile: "original", environment: .development),
        ])
    }

    @Test(arguments: [MatrixBodies.path, "/_api/push/v1/notify", "/push/notify", MatrixBodies.path + "?a=%"])
    func `a push makes a durable request for each device, at each path of the gateway`(path: String) async throws {
        let gateway = MatrixGateway(.init(paths: ["/push/notify"], apps: Self.apps()))
        try await ServerBench.run(matrix: gateway) { bench in
            let devices = """
                [{"app_id":"com.example.ios.dev","pushkey":"one","tweaks":{"sound":"bing"},"data":{"lang":"de-AT"}},
                 {"app_id":"com.example.android","pushkey":"two","lang":"fr"},
                 {"app_id":"com.example.tv","pushkey":"three","data":{"lang":7}},{"app_id":"other","pushkey":"four"}]
                """
            let answer = try await bench.send(
                "POST", path,
                body: MatrixBodies.push(#""event_id":"$1","room_id":"!a:b","prio":"low","#, devices: devices))
            #expect(answer.status == 200 && answer.body == Self.none, "\(answer)")
            let envelopes = bench.coordinator.submissions.map(\.object)
            #expect(bench.coordinator.submissions.allSatisfy { $0.channel == .detached && $0.id == nil })
            #expect(envelopes.map { $0["recipient"]?.string } == ["one", "two", "three", "four"])
            #expect(envelopes.map { $0["profile"]?.string } == ["ios", "android", "original", nil])
            #expect(envelopes.map { $0["locale"]?.string } == ["de-AT", "fr", nil, nil])
            let group = "group.com.example.app"
            #expect(envelopes.map { $0["appGroup"]?.string } == [group, group, "group.default", "group.default"])
            #expect(envelopes.allSatisfy { $0["priority"] == 5 && $0["dialect"] == "matrix" })
            #expect(Set(envelopes.compactMap { $0["id"]?.string }).count == 4)
            let sent = try #require(try JSONParser.value(of: devices).array)
            for (envelope, device) in zip(envelopes, sent) {
                #expect(envelope["payload"]["notification"]["devices"] == .array([device]))
                #expect(envelope["payload"]["notification"]["room_id"] == "!a:b")
            }
            for submission in bench.coordinator.submissions {
                #expect(try JSONParser.value(of: submission.body) == .object(submission.object))
            }
        }
    }

    @Test func `the same event for the same device has the same id, also if the numbers have changed`() async throws {
        try await ServerBench.run(coordinator: MatrixBodies.joiningCoordinator()) { bench in
            let event = #""event_id":"$1","counts":{"unread":%},"#
            for count in ["1", "1", "2"] {
                let answer = try await bench.send(
                    "POST", MatrixBodies.path, body: MatrixBodies.push(event.replacing("%", with: count)))
                #expect(answer.body == Self.none)
            }
            let others = [
                MatrixBodies.push(#""event_id":"$2","#),
                MatrixBodies.push(devices: #"[{"app_id":"com.example.ios.dev","pushkey":"key-2"}]"#),
                MatrixBodies.push(devices: #"[{"app_id":"com.example.ios.prod","pushkey":"key-1"}]"#),
                MatrixBodies.push(
                    devices:
                        #"[{"app_id":"com.example.ios.dev","pushkey":"key-1","data":{"default_payload":{"pusher_notification_client_identifier":"b"}}}]"#
                ),
            ]
            for body in others { _ = try await bench.send("POST", MatrixBodies.path, body: body) }
            let ids = bench.coordinator.submissions.compactMap { $0.object["id"]?.string }
            #expect(ids.count == 7 && Set(ids).count == 5)
            #expect(ids.allSatisfy { RequestID($0) != nil })
        }
    }

    @Test(arguments: [
        #""counts":{"unread":0},"#, #""id":"","type":null,"sender":"","counts":{"unread":0},"#,
        #""event_id":"","counts":{"unread":0},"#, #""event_id":null,"counts":{"unread":0},"#,
    ])
    func `pushes without an event never have the same id`(event: String) async throws {
        try await ServerBench.run { bench in
            for _ in 0..<2 {
                let answer = try await bench.send("POST", MatrixBodies.path, body: MatrixBodies.push(event))
                #expect(answer.status == 200)
            }
            #expect(bench.coordinator.submissions.map { $0.object["id"] } == [nil, nil])
        }
    }

    /// Returns bodies, with the number of requests that each makes.
    private static var unusual: [(body: String, requests: Int)] {
        let device = #"{"app_id":"a","pushkey":"b"}"#
        let long = String(repeating: "k", count: 5_000)
        return [
            ("{}", 0), (#"{"notification":null}"#, 0), (#"{"notification":[]}"#, 0), (#"{"notification":{}}"#, 0),
            (MatrixBodies.push(devices: "null"), 0), (MatrixBodies.push(devices: "{}"), 0),
            (MatrixBodies.push(devices: "[]"), 0), (MatrixBodies.push(devices: device), 0),
            (MatrixBodies.push(devices: "[null,7,\"a\",[],\(device)]"), 1),
            (MatrixBodies.push(devices: #"[{"app_id":"a","pushkey":7},{"app_id":7,"pushkey":"b"}]"#), 0),
            (MatrixBodies.push(devices: #"[{"app_id":"a"},{"pushkey":"b"},{"app_id":"","pushkey":""}]"#), 0),
            (MatrixBodies.push(devices: #"[{"app_id":"\#(long)","pushkey":"b"}]"#), 0),
            (MatrixBodies.push(devices: #"[{"app_id":"a","pushkey":"\#(long)"}]"#), 0),
            (MatrixBodies.push(devices: #"[{"app_id":"a","pushkey":"\#(long.prefix(600))"}]"#), 1),
            (MatrixBodies.push(devices: #"[{"app_id":"a","pushkey":"a b\u0000"}]"#), 1),
            (MatrixBodies.push(devices: #"[{"app_id":"a","pushkey":"b","data":7,"tweaks":[],"lang":{}}]"#), 1),
            (MatrixBodies.push(#""event_id":7,"counts":[],"prio":7,"content":"x","type":[],"#), 1),
            (MatrixBodies.push(#""event_id":"\#(long)","counts":{"unread":-1},"prio":"urgent","#), 1),
            (MatrixBodies.push(#""event_id":{},"content":{"msgtype":7,"url":[]},"devices":"x","#), 1),
            (MatrixBodies.push("", devices: "[\(device)]"), 1),
            (MatrixBodies.push(devices: "[\(Array(repeating: device, count: 10_000).joined(separator: ","))]"), 64),
        ]
    }

    @Test func `unusual content is answered with 200 and no rejected push key`() async throws {
        for (body, requests) in Self.unusual {
            let log = try await ServerBench.run { bench in
                let answer = try await bench.send("POST", MatrixBodies.path, body: body)
                #expect(answer.status == 200 && answer.body == Self.none, "\(body.prefix(200)): \(answer)")
                #expect(bench.coordinator.submissions.count == requests, "\(body.prefix(200))")
                for submission in bench.coordinator.submissions {
                    #expect(submission.object["priority"] == 10)
                    #expect(submission.object["recipient"]?.string.map { $0 == "b" || $0 == "key-1" } != false)
                }
                return bench.log.all
            }
            #expect(!log.joined().contains("kkk"))
        }
    }

    @Test func `a compressed push is answered with 200, so that its homeserver keeps the pusher`() async throws {
        let log = LogLines()
        let gateway = MatrixGateway(logger: .init(label: "test") { _ in log.handler })
        try await ServerBench.run(matrix: gateway) { bench in
            for (fields, body) in [([], "BZh91AY"), (["Content-Encoding: br"], "x")] {
                let answer = try await bench.send("POST", MatrixBodies.path, fields, body: body)
                #expect(answer.status == 200 && answer.body == Self.none, "\(answer)")
            }
        }
        #expect(log.all == ["a device of a homeserver's push gets no result: the body is compressed "])
    }

    @Test func `a device without a request is logged with its reason, and without its push key`() async throws {
        let coordinator = FakeCoordinator { _ in .unusable(EnvelopeError(key: "appGroup", problem: "secret")) }
        let log = LogLines()
        let gateway = MatrixGateway(logger: .init(label: "test") { _ in log.handler })
        try await ServerBench.run(coordinator: coordinator, matrix: gateway) { bench in
            for devices in [#"[{"app_id":"a","pushkey":"key"}]"#, #"[{"app_id":"a","pushkey":{"key":1}}]"#] {
                for _ in 0..<2 {
                    let answer = try await bench.send(
                        "POST", MatrixBodies.path, body: MatrixBodies.push(devices: devices))
                    #expect(answer.status == 200 && answer.body == Self.none)
                }
            }
        }
        let beginning = "a device of a homeserver's push gets no result: "
        #expect(
            log.all == [
                beginning + "its appGroup is refused ",
                beginning + "the device has no pushkey of at most 4,096 bytes ",
            ])
    }

    @Test func `only push keys that are dead are rejected, and they get no request`() async throws {
        let gateway = MatrixGateway(isDead: { group, key in group == .default && key == "dead" })
        try await ServerBench.run(matrix: gateway) { bench in
            let devices = #"[{"app_id":"a","pushkey":"dead"},{"app_id":"a","pushkey":"b"},{"app_id":"a","pushkey":7}]"#
            let answer = try await bench.send("POST", MatrixBodies.path, body: MatrixBodies.push(devices: devices))
            #expect(answer.status == 200 && answer.body == #"{"rejected":["dead"]}"#)
            #expect(bench.coordinator.submissions.map { $0.object["recipient"]?.string } == ["b"])
        }
    }

    @Test(
        arguments: [
            (.full(retryAfter: .seconds(2)), "M_LIMIT_EXCEEDED", "2"), (.closing, "M_UNKNOWN", "1"),
            (.failed("/var/secret"), "M_UNKNOWN", "1"),
        ] as [(Admission, String, String)])
    func `a push that cannot be stored now is answered with 503`(
        _ admission: Admission, _ code: String, _ time: String
    ) async throws {
        try await ServerBench.run(coordinator: FakeCoordinator { _ in admission }) { bench in
            let answer = try await bench.send("POST", MatrixBodies.path, body: MatrixBodies.push())
            #expect(answer.status == 503 && answer["retry-after"] == time, "\(answer)")
            #expect(answer.json["errcode"]?.string == code)
            #expect(!answer.body.contains("secret"))
        }
        try await ServerBench.run(phase: .starting) { bench in
            let answer = try await bench.send("POST", MatrixBodies.path, body: MatrixBodies.push())
            #expect(answer.status == 503 && answer.json["retry_after_ms"] == 1_000, "\(answer)")
        }
    }

    @Test(arguments: [
        ("hello", 400, "M_NOT_JSON"), ("", 400, "M_NOT_JSON"), ("[{}]", 400, "M_BAD_JSON"), ("7", 400, "M_BAD_JSON"),
        (String(repeating: #"{"a":"#, count: 10_000), 400, "M_NOT_JSON"),
        (#"{"a":""# + String(repeating: "a", count: 1 << 20) + #""}"#, 413, "M_TOO_LARGE"),
    ])
    func `a body that is no JSON object, or too large, is refused with an error in the form of Matrix`(
        _ body: String, _ status: Int, _ code: String
    ) async throws {
        try await ServerBench.run { bench in
            let answer = try await bench.send("POST", MatrixBodies.path, body: body)
            #expect(answer.status == status && answer.json["errcode"]?.string == code, "\(answer)")
            #expect(answer["content-type"] == "application/json")
            #expect(bench.coordinator.submissions.isEmpty)
        }
    }
}
