import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests that the next daemon keeps accepted requests, with their deadlines and keys, and emits each of them once.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeRestartTests {
    /// The next daemon emits the accepted requests at once, while the files of the requests are still in `claimed`.
    @Test(arguments: [1, 20, 60, 120])
    func `each text that a daemon accepted before it was killed has exactly one result`(_ readBefore: Int) async throws
    {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            let outbox = try await root.readOutbox()
            for number in 0..<200 { try root.drop(ServedPayload.text("\(number)"), as: "n-\(number)") }
            try await outbox.taken.wait(forCount: readBefore)
            try await daemon.kill()
            let next = try await root.start()
            try await outbox.taken.wait { Set($0.map(\.id)).count == 200 ? true : nil }
            try await next.terminate()
            let twice = Dictionary(grouping: outbox.taken.elements, by: \.id).filter { $0.value.count > 1 }
            #expect(twice.isEmpty, "\(twice.keys.sorted())")
            for place in ["incoming", "claimed", "rejected"] { #expect(root.names(in: place).isEmpty, "\(place)") }
        }
    }

    @Test func `a request keeps its original deadline after a restart`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let outbox = try await root.readOutbox()
                try root.drop(
                    ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "3s"), as: "late")
                await origin.waitUntil { $0.stallsReached >= 1 }
                try await daemon.kill()
                let killed = Date()
                _ = try await root.start()
                let content = try await outbox.content("late")
                #expect(content["outcome"] == "fallback")
                #expect(content["reason"] == "budget-exceeded")
                let received = try Self.date(content, "receivedAt")
                let deadline = try Self.date(content, "deadline")
                #expect(received <= killed)
                #expect(abs(deadline.timeIntervalSince(received) - 3) < 0.01)
                #expect(try Self.date(content, "emittedAt") <= deadline)
            }
        }
    }

    static func date(_ content: JSONValue, _ name: String) throws -> Date {
        let text = try #require(content["timing"][name]?.string)
        return try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    @Test func `the next daemon keeps the requests that were accepted over HTTP`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                func body() -> String { ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "2s") }
                let (first, kept, lost) = (body(), body(), body())
                let promised = try await root.client.post(
                    first, ["prefer": "respond-async", "idempotency-key": "promised"])
                #expect(promised.status == 202)
                let client = root.client
                let waiting = Task { try await client.post(kept, ["idempotency-key": "waited"]) }
                let tied = Task { try await client.post(lost) }
                await origin.waitUntil { $0.stallsReached >= 3 }
                try await daemon.kill()
                await #expect(throws: (any Error).self) { try await waiting.value }
                await #expect(throws: (any Error).self) { try await tied.value }

                _ = try await root.start()
                for (id, body) in [("promised", first), ("waited", kept)] {
                    try await root.client.emission(of: id)
                    let content = try await root.client.get(id)
                    #expect(content.status == 200)
                    #expect(content.json["outcome"] == "fallback")
                    let again = try await root.client.post(body, ["idempotency-key": id])
                    #expect(again.status == 200)
                    #expect(again.body == content.body)
                }
                // The request without a key was cancelled, because its caller is gone.
                let emitted = try await root.client.request("GET", "/v1/status").json["load"]["emitted"]
                #expect(emitted["cancelled"] == 1)
                #expect(emitted["fallback"] == 2)
            }
        }
    }

    @Test func `a start with an address in use is refused at once, and does not count as an attempt`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let outbox = try await root.readOutbox()
                try root.drop(
                    ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "10m"), as: "held")
                await origin.waitUntil { $0.stallsReached >= 1 }
                try await daemon.kill()
                let taken = origin.baseURL.dropFirst("http://".count)
                // After two attempts at a request, a daemon emits the request without its media.
                for _ in 0..<2 {
                    let refused = try await ProgramRun.appgroupd("serve", "--root", root.path, "--listen", "\(taken)")
                    #expect(refused.status == 1)
                    let port = taken.split(separator: ":").last ?? ""
                    #expect(refused.errors.count == 1)
                    #expect(refused.errors.first?.contains("port \(port): Address already in use") == true)
                }
                #expect(outbox.taken.elements.isEmpty)

                _ = try await root.start()
                await origin.waitUntil { $0.stallsReached >= 2 }
                #expect(try await root.client.request("DELETE", "/v1/notifications/held").status == 204)
                #expect(try await outbox.content("held")["outcome"] == "cancelled")
            }
        }
    }
}
