import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of batches with a real daemon, its workers and an origin.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ServeBatchTests {
    /// A campaign of one picture for many recipients.
    private static func campaign(_ url: String, recipients: Int, budget: String = "20s") -> [UInt8] {
        let template =
            #"{"template":{"budget":"\#(budget)","payload":{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},"image":"\#(url)"}}}"#
        let lines = (0..<recipients).map {
            #"{"id":"s-\#($0)","payload":{"aps":{"alert":{"body":"for \#($0)"}}}}"#
        }
        return Array(([template] + lines).joined(separator: "\n").utf8)
    }

    private static func send(
        _ body: [UInt8], _ headers: [String: String] = [:], to client: DaemonClient
    ) async throws -> [JSONValue] {
        let lines = Record<JSONValue>()
        let rest = Guarded(body)
        let piece = { @Sendable in
            rest.withLock { rest in
                defer { rest = [] }
                return rest
            }
        }
        let take = { @Sendable (line: String) in
            if let value = try? JSONParser.value(of: line) { lines.append(value) }
        }
        try await client.forEachLine("POST", "/v1/notifications:batch", headers: headers, body: piece, take)
        return lines.elements
    }

    private static func store(_ body: [UInt8], as id: String, in client: DaemonClient) async throws -> Int {
        let answer = try await client.request(
            "POST", "/v1/notifications:batch", headers: ["prefer": "respond-async", "idempotency-key": id], body: body)
        return answer.status
    }

    private static func ended(_ id: String, in client: DaemonClient) async throws -> JSONValue {
        let state = Guarded(JSONValue.null)
        try await wait(for: "the end of the batch", atMost: .seconds(60)) {
            let answer = try await client.request("GET", "/v1/batches/\(id)")
            state.withLock { $0 = answer.json }
            return answer.json["state"] == "ended"
        }
        return state.withLock(\.self)
    }

    private static func results(of id: String, in client: DaemonClient) async throws -> [JSONValue] {
        let lines = Record<JSONValue>()
        try await client.forEachLine(of: "/v1/batches/\(id)/results") { line in
            if let value = try? JSONParser.value(of: line) { lines.append(value) }
        }
        return lines.elements
    }

    @Test func `a campaign with one picture fetches it once, and makes its renditions once`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let url = origin.image
                let results = try await Self.send(Self.campaign(url, recipients: 500), to: root.client)
                let summary = try #require(results.last?["summary"])
                #expect(summary["outcomes"] == ["rich": 500])
                #expect(summary["originFetches"] == 1 && summary["complete"] == true)
                #expect(Set(results.compactMap { $0["line"]?.integer }) == Set(2...501))
                #expect(
                    results.dropLast().allSatisfy { result in
                        result["content"]?["body"]?.string == "for \((result["line"]?.integer ?? 0) - 2)"
                    })
                // The same file sent again gets the same results.
                let again = try await Self.send(Self.campaign(url, recipients: 500), to: root.client)
                #expect(again.last?["summary"]?["outcomes"] == ["rich": 500])
                #expect(again.last?["summary"]?["originFetches"] == 0)
            }
        }
    }

    @Test func `lines have the trace of their call, unless their envelopes have one, also after a kill`() async throws {
        let ids = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"
        let (ofCall, own) = ("00-\(ids)-01", "00-\(ids)-00")
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let headers = ["traceparent": ofCall, "x-request-id": "call-9"]
                let bare = ServedPayload.text("bare")
                let envelope = #"{"id":"own","traceparent":"\#(own)","payload":\#(bare)}"#
                let results = try await Self.send(Array("\(bare)\n\(envelope)".utf8), headers, to: root.client)
                let traces = results.dropLast().reduce(into: [Int: String]()) {
                    $0[$1["line"]?.integer ?? 0] = $1["traceparent"]?.string
                }
                #expect(traces == [1: ofCall, 2: own])
                #expect(results.dropLast().allSatisfy { $0["requestId"] == "call-9" })

                let lines = [
                    #"{"template":{"budget":"3s","payload":{"aps":{"alert":"A"},"image":"\#(origin.stalled)"}}}"#,
                    #"{"id":"s-0"}"#, #"{"id":"s-1","traceparent":"\#(own)"}"#,
                ]
                let stored = try await root.client.request(
                    "POST", "/v1/notifications:batch",
                    headers: headers.merging(["prefer": "respond-async", "idempotency-key": "traced"]) { $1 },
                    body: Array(lines.joined(separator: "\n").utf8))
                #expect(stored.status == 202)
                await origin.waitUntil { $0.stallsReached >= 1 }
                try await daemon.kill()
                _ = try await root.start()
                _ = try await Self.ended("traced", in: root.client)
                for (id, trace) in [("s-0", ofCall), ("s-1", own)] {
                    #expect(try await root.client.get(id).json["traceparent"]?.string == trace, "\(id)")
                }
            }
        }
    }

    @Test func `a stored campaign that was killed half-way has one result for each recipient`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let body = Self.campaign(origin.image, recipients: 3_000)
                #expect(try await Self.store(body, as: "summer", in: root.client) == 202)
                try await wait(for: "the first results") {
                    let state = try await root.client.request("GET", "/v1/batches/summer").json
                    return (state["counts"]?["lines"]?.integer ?? 0) > 100
                }
                try await daemon.kill()
                _ = try await root.start()
                let state = try await Self.ended("summer", in: root.client)
                #expect(state["counts"]?["lines"] == 3_000 && state["counts"]?["errors"] == 0)
                let results = try await Self.results(of: "summer", in: root.client)
                let numbers = results.compactMap { $0["line"]?.integer }
                #expect(numbers.count == 3_000 && Set(numbers) == Set(2...3_001))
                #expect(Set(results.compactMap { $0["id"]?.string }).count == 3_000)
            }
        }
    }

    @Test func `a caller that is killed leaves requests with an id, and the next daemon has their template`()
        async throws
    {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let body = Self.campaign(origin.stalled, recipients: 3, budget: "4s")
                let client = root.client
                let call = Task { try await Self.send(body, to: client) }
                await origin.waitUntil { $0.stallsReached >= 1 }
                try await wait(for: "the accepted requests") {
                    try await client.request("GET", "/v1/notifications/s-2").status == 200
                }
                try await daemon.kill()
                await #expect(throws: (any Error).self) { try await call.value }
                _ = try await root.start()
                for id in 0..<3 {
                    try await root.client.emission(of: "s-\(id)")
                    let content = try await root.client.get("s-\(id)").json
                    #expect(content["outcome"] == "fallback")
                    #expect(content["content"]?["body"]?.string == "for \(id)")
                }
            }
        }
    }
}
