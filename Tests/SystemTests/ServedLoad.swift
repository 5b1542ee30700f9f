import Base
import HTTPAPI
import Lab
import NotificationModel
import Testing

/// A load of requests of every kind, through HTTP and the spool.
struct ServedLoad {
    /// The maximum number of requests at a time.
    private static let width = 20

    let root: ServedRoot
    let origin: MisbehavingOrigin
    let outbox: ServedOutbox

    /// Runs this number of requests, and returns when all of them have ended.
    func run(_ count: Int) async throws {
        let expected = outbox.taken.elements.count + (0..<count).count { $0 % 6 == 5 }
        let start = expected * 1_000_000
        try await each(of: count) { try await one($0, named: "load-\(start + $0)") }
        try await outbox.taken.wait(forCount: expected)
    }

    /// Runs this number of requests with different images.
    func runImages(_ count: Int) async throws { try await each(of: count) { _ in try await image() } }

    private func each(of count: Int, run one: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= Self.width { try await group.next() }
                group.addTask { try await one(number) }
            }
            try await group.waitForAll()
        }
    }

    private func image() async throws { try await expect("rich", ServedPayload.media([origin.image])) }

    private func one(_ number: Int, named id: String) async throws {
        let stalled = ServedPayload.media([origin.stalled])
        switch number % 6 {
        case 0: try await image()
        case 1: try await expect("fallback", ServedPayload.envelope(stalled, budget: "200ms"))
        case 2: try await expect("passthrough", ServedPayload.text("b"))
        case 3: try await leave()
        case 4:
            _ = try await root.client.post(stalled, ["prefer": "respond-async", "idempotency-key": id])
            let answer = try await root.client.request("DELETE", "/v1/notifications/\(id)")
            #expect(answer.status == 204)
            try await root.client.emission(of: id)
        default:
            try root.drop(ServedPayload.media([origin.baseURL + "/truncate/1000/photo-small.jpg"]), as: id)
        }
    }

    private func expect(_ outcome: String, _ body: String) async throws {
        let answer = try await root.client.post(body)
        #expect(answer.json["outcome"]?.string == outcome)
    }

    /// Closes the connection of a client that waits for its response.
    private func leave() async throws {
        let body = ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "30s")
        let before = origin.counts.stallsReached
        let client = root.client
        let leaving = Task { try await client.post(body) }
        await origin.waitUntil { $0.stallsReached > before }
        leaving.cancel()
        _ = await leaving.result
    }
}
