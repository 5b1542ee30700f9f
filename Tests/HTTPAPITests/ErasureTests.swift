import Authentication
import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import HTTPAPI

/// Tests of the routes of erasures, over a port that records its targets.
@Suite(.timeLimit(.minutes(1))) struct ErasureTests {
    private final class Erasures: ErasureIntake {
        let targets = Record<ErasureTarget>()
        let isBroken: Bool

        init(isBroken: Bool = false) { self.isBroken = isBroken }

        func erase(_ target: ErasureTarget, suppresses: Bool, includesMentions: Bool) async -> Erasure? {
            targets.append(target)
            return isBroken
                ? nil
                : Erasure(id: "erasure-1", target: target, requestedAt: Date(timeIntervalSince1970: 1_800_000_000))
        }

        func erasure(_ id: String) async -> Erasure? {
            guard id == "erasure-1" else { return nil }
            let target = ErasureTarget(group: .default, kind: .recipient, name: "")
            var erasure = Erasure(id: id, target: target, requestedAt: Date(timeIntervalSince1970: 1_800_000_000))
            erasure.state = .done
            erasure.counts.results = 3
            erasure.endedAt = Date(timeIntervalSince1970: 1_800_000_001)
            return erasure
        }
    }

    private func json(_ answer: RawAnswer) throws -> JSONValue { try JSONParser.value(of: Array(answer.body.utf8)) }

    @Test(arguments: [
        ("recipient=anna%20b", ErasureTarget.Kind.recipient, "anna b"), ("id=msg-1", .id, "msg-1"),
        ("providerId=8813", .providerID, "8813"), ("thread=a%2Fb", .thread, "a/b"), ("everything=true", .group, ""),
    ])
    func `an erasure names its target`(query: String, kind: ErasureTarget.Kind, name: String) async throws {
        let erasures = Erasures()
        try await ServerBench.run(erasing: erasures) { server in
            let answer = try await server.send("DELETE", "/v1/notifications?\(query)&group=group.a")
            #expect(answer.status == 202 && answer["location"] == "/v1/erasures/erasure-1")
            let json = try json(answer)
            #expect(json["state"] == "running" && json["by"]?.string == kind.rawValue)
            #expect(!answer.body.contains("anna") && !answer.body.contains("8813"))
            let group = AppGroupName("group.a") ?? .default
            #expect(erasures.targets.elements == [ErasureTarget(group: group, kind: kind, name: name)])
        }
    }

    @Test(arguments: [
        "", "group=group.a", "recipient=", "recipient=a&id=b", "everything=yes", "id=.hidden", "thread=", "name=anna",
        "recipient=a&recipient=b", "group=.x&id=a", "id=a&suppress=true", "recipient=a&suppress=x",
        "everything=true&mentions=true", "id=a&mentions=x",
        "providerId=\(String(repeating: "x", count: 4_097))",
    ])
    func `an erasure without one clear target is refused`(query: String) async throws {
        let erasures = Erasures()
        try await ServerBench.run(erasing: erasures) { server in
            let answer = try await server.send("DELETE", "/v1/notifications?\(query)")
            #expect(answer.status == 400)
            #expect(erasures.targets.elements.isEmpty)
        }
    }

    @Test func `the state of an erasure has its counts, and not the name of its target`() async throws {
        try await ServerBench.run(erasing: Erasures()) { server in
            let json = try json(await server.send("GET", "/v1/erasures/erasure-1"))
            #expect(json["state"] == "done" && json["by"] == "recipient" && json["endedAt"] == "2027-01-15T08:00:01Z")
            #expect(json["erased"]?["results"]?.integer == 3)
            let unknown = try await server.send("GET", "/v1/erasures/erasure-2")
            #expect(unknown.status == 404)
        }
    }

    @Test func `an erasure that cannot be stored is 503`() async throws {
        try await ServerBench.run(erasing: Erasures(isBroken: true)) { server in
            let answer = try await server.send("DELETE", "/v1/notifications?id=a")
            #expect(answer.status == 503)
        }
    }
}
