import Base
import Foundation
import Glibc
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of the backup of a halted daemon, as docs/operate/gateway.md describes it.
@Suite(.timeLimit(.minutes(2))) struct BackupTests {
    private static func copy(_ root: String, to other: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/cp")
        process.arguments = ["-a", "--no-target-directory", root, other]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private static func submit(
        _ body: String, as id: String, to client: DaemonClient, isAsync: Bool = false
    ) async throws -> DaemonClient.Answer {
        var headers = ["Idempotency-Key": id]
        if isAsync { headers["Prefer"] = "respond-async" }
        return try await client.post(body, headers)
    }

    @Test func `a restored copy of a halted daemon has the results and the unfinished requests`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let place = try TemporaryDirectory()
                let backup = place.path + "/backup"
                let daemon = try await root.start()
                var results: [String: [UInt8]] = [:]
                for number in 0..<20 {
                    let id = "text-\(number)"
                    results[id] = try await Self.submit(ServedPayload.text(id), as: id, to: root.client).body
                }
                let stalled = ServedPayload.media([origin.stalled])
                let slow = try await Self.submit(stalled, as: "slow", to: root.client, isAsync: true)
                #expect(slow.status == 202)
                await origin.waitUntil { $0.stallsReached >= 1 }

                daemon.send(SIGSTOP)
                try Self.copy(root.path, to: backup)
                daemon.send(SIGCONT)
                let later = try await Self.submit(ServedPayload.text("later"), as: "later", to: root.client)
                #expect(later.status == 200)
                try await daemon.kill()
                try FileManager.default.removeItem(atPath: root.path)
                try Self.copy(backup, to: root.path)

                _ = try await root.start()
                for (id, result) in results { #expect(try await root.client.get(id).body == result, "\(id)") }
                #expect(try await root.client.get("later").status == 404)
                let state = try await root.client.get("slow").json["state"]?.string ?? ""
                #expect(["queued", "running"].contains(state))
                let cancel = try await root.client.request("DELETE", "/v1/notifications/slow")
                #expect(cancel.status == 204)
                #expect(try await root.client.get("slow").json["outcome"] == "cancelled")
            }
        }
    }
}
