import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests that a daemon emits its accepted requests within their budgets after SIGTERM.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeEndingTests {
    @Test func `after SIGTERM, a daemon emits running requests, answers callers, and exits with 0`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let outbox = try await root.readOutbox()
                func payload() -> String {
                    ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "1s")
                }
                for number in 0..<3 { try root.drop(payload(), as: "d-\(number)") }
                let client = root.client
                let own = payload()
                async let waiting = client.post(own)
                await origin.waitUntil { $0.stallsReached >= 4 }
                let end = try await daemon.terminate()
                #expect(end == .init(status: 0, isBySignal: false))
                let answer = try await waiting
                #expect(answer.status == 200)
                #expect(answer.json["outcome"] == "fallback")
                try await outbox.taken.wait(forCount: 3)
                for taken in outbox.taken.elements {
                    #expect(taken.content["outcome"] == "fallback")
                    #expect(taken.content["reason"] == "budget-exceeded")
                }
                #expect(root.names(in: "claimed").isEmpty)
                #expect(root.names(in: ".staged").isEmpty)
                await origin.waitUntil { $0.connectionsOpen == 0 }
            }
        }
    }

    @Test func `a second SIGTERM ends a daemon at once, and the next daemon emits the remaining requests`() async throws
    {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let outbox = try await root.readOutbox()
                func payload() -> String {
                    ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "5s")
                }
                for number in 0..<3 { try root.drop(payload(), as: "d-\(number)") }
                await origin.waitUntil { $0.stallsReached >= 3 }
                daemon.send(SIGTERM)
                try await daemon.log.wait(for: "ending")
                let asked = MonotonicInstant.now
                let end = try await daemon.terminate()
                #expect(asked.duration(to: .now) < .seconds(1))
                #expect(end == .init(status: SIGTERM, isBySignal: true))
                #expect(outbox.taken.elements.isEmpty)

                _ = try await root.start()
                try await outbox.taken.wait(forCount: 3)
                for taken in outbox.taken.elements { #expect(taken.content["outcome"] == "fallback") }
            }
        }
    }

    @Test func `a file that is dropped after SIGTERM is processed by the next daemon`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let outbox = try await root.readOutbox()
                try root.drop(
                    ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "1s"), as: "early")
                await origin.waitUntil { $0.stallsReached >= 1 }
                daemon.send(SIGTERM)
                try await daemon.log.wait(for: "ending")
                try root.drop(ServedPayload.text("later"), as: "later")
                try await daemon.end()
                let ids = outbox.taken.elements.map(\.id)
                if ids == ["early"] { #expect(root.names(in: "incoming") == ["later.json"]) }
                _ = try await root.start()
                let content = try await outbox.content("later")
                #expect(content["content"]["body"] == "later")
                #expect(Set(outbox.taken.elements.map(\.id)) == ["early", "later"])
                #expect(outbox.taken.elements.count == 2)
            }
        }
    }

    @Test func `after SIGTERM, a daemon is not ready, and waiting callers get their results`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let before = try await root.client.request("GET", "/readyz")
                #expect(before.status == 200)
                let client = root.client
                async let waiting = client.post(
                    ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "2s"))
                await origin.waitUntil { $0.stallsReached >= 1 }
                daemon.send(SIGTERM)
                try await daemon.log.wait(for: "ending")
                try await Self.refusal(by: root.client)
                #expect(!daemon.hasEnded)
                let answer = try await waiting
                #expect(answer.status == 200)
                #expect(answer.json["outcome"] == "fallback")
                try await daemon.end()
            }
        }
    }

    /// Sends requests until the daemon is not ready any more. The daemon logs its end shortly before it refuses
    /// requests.
    private static func refusal(by client: DaemonClient) async throws {
        while true {
            do {
                let answer = try await client.request("GET", "/readyz")
                if answer.status == 503 { return }
                try #require(answer.status == 200)
            } catch is DaemonClientError {
                return
            }
        }
    }

    @Test func `a draining daemon answers queries and refuses new requests`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let client = root.client
                let payload = ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "10m")
                async let waiting = client.post(payload, ["idempotency-key": "long"])
                await origin.waitUntil { $0.stallsReached >= 1 }
                daemon.send(SIGTERM)
                try await daemon.log.wait(for: "ending")
                let status = try await client.request("GET", "/v1/status").json
                #expect(status["draining"] == true)
                #expect(status["load"]["running"] == 1)
                let ready = try await client.request("GET", "/readyz")
                #expect(ready.status == 503)
                let refused = try await client.post(payload)
                #expect(refused.status == 503)
                #expect(refused.json["type"]?.string?.hasSuffix("closing") == true)
                let cancel = try await client.request("DELETE", "/v1/notifications/long")
                #expect(cancel.status == 204)
                #expect(try await waiting.json["outcome"] == "cancelled")
                #expect(try await daemon.end() == .init(status: 0, isBySignal: false))
            }
        }
    }
}
