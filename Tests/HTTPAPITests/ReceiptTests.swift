import Authentication
import Base
import Features
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of the route of receipts.
@Suite(.timeLimit(.minutes(1))) struct ReceiptTests {
    /// A port that records receipts, and gives each of them the same answer.
    private struct Receipts: ReceiptIntake {
        let taken = Record<Receipt>()
        var answer = ReceiptAnswer.recorded(notifications: 2, cancelled: 1)

        func record(_ receipt: Receipt) async -> ReceiptAnswer {
            taken.append(receipt)
            return answer
        }
    }

    @Test func `a receipt has the event and the target of its path, and the recipient of its query`() async throws {
        let receipts = Receipts()
        try await ServerBench.run(clock: ManualClock(), receipts: receipts) { server in
            let calls = [
                "a/delivered", "m%2F1/clicked?by=provider&at=2020-01-01T00:00:00Z",
                "t%201/read?by=thread&recipient=anna",
                "a/deleted?at=2999-01-01T00:00:00Z",
            ]
            for call in calls {
                let answer = try await server.send("POST", "/v1/receipts/\(call)")
                #expect(answer.status == 200, "\(answer.body)")
                #expect(answer.json == ["notifications": 2, "cancelled": 1])
            }
        }
        let now = ManualClock().date
        let id = FakeCoordinator.key("a").id
        var read = Receipt(group: .default, target: .thread("t 1"), event: .read, at: now)
        read.recipients = ["anna"]
        #expect(
            receipts.taken.elements == [
                Receipt(group: .default, target: .id(id), event: .delivered, at: now),
                Receipt(
                    group: .default, target: .providerID("m/1"), event: .clicked,
                    at: Date(timeIntervalSince1970: 1_577_836_800)),
                read, Receipt(group: .default, target: .id(id), event: .deleted, at: now),
            ])
    }

    @Test(arguments: [
        ("a/opened", 404), ("a/read?by=recipient", 400), ("a/read?at=noon", 400), ("a/read?recipient=", 400),
        ("a/read?group=.x", 400), ("%2Ea/read", 400), ("a/read?when=1", 400), ("a", 404),
    ])
    func `a wrong receipt is refused`(call: String, status: Int) async throws {
        let receipts = Receipts()
        try await ServerBench.run(receipts: receipts) { server in
            let answer = try await server.send("POST", "/v1/receipts/\(call)")
            #expect(answer.status == status)
        }
        #expect(receipts.taken.elements.isEmpty)
    }

    @Test func `each line of a body is a receipt, and has its answer`() async throws {
        let receipts = Receipts()
        let body = [
            #"{"id":"a","event":"read","at":"2020-01-01T00:00:00Z","recipient":"anna"}"#,
            #"{"providerId":"m 1","event":"delivered","group":"group.x"}"#, #"{"thread":"t","event":"deleted"}"#,
            #"{"id":"a","thread":"t","event":"read"}"#, #"{"event":"read"}"#, #"{"id":".a","event":"read"}"#,
            #"{"id":"a","event":"opened"}"#, #"{"id":"a","event":"read","at":"noon"}"#,
            #"{"id":"a","event":"read","recipient":""}"#, #"{"id":"a","event":"read","group":".x"}"#, "[]",
        ]
        try await ServerBench.run(receipts: receipts) { server in
            let text = body.joined(separator: "\n")
            let answer = try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(
                    "POST /v1/receipts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
                return await connection.readToEnd()
            }
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            // The lines of the chunked coding have no objects.
            let values = answer.split(whereSeparator: \.isNewline)
                .compactMap { try? JSONParser.value(of: String($0)) }.filter { $0.object != nil }
            #expect(values.dropLast().map { $0["line"]?.integer } == Array(1...11))
            #expect(values.prefix(3).map { $0["id"]?.string } == ["a", "m 1", "t"])
            for value in values.prefix(3) {
                #expect(value["status"] == 200 && value["notifications"] == 2 && value["cancelled"] == 1)
            }
            #expect(values.dropFirst(3).dropLast().allSatisfy { $0["status"] == 400 }, "\(answer)")
            #expect(values.last?["summary"] == ["lines": 11, "stored": 3, "errors": 8, "complete": true])
        }
        let targets = receipts.taken.elements.map(\.target)
        #expect(targets.contains(.providerID("m 1")) && targets.contains(.thread("t")) && targets.count == 3)
    }

    @Test(arguments: [(ReceiptAnswer.unknown, 404), (.failed, 503)])
    func `a receipt without a notification, or without a disk, is refused`(answer: ReceiptAnswer, status: Int)
        async throws
    {
        try await ServerBench.run(receipts: Receipts(answer: answer)) { server in
            let response = try await server.send("POST", "/v1/receipts/a/read")
            #expect(response.status == status)
        }
    }
}
