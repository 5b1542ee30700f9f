import Base
import Foundation
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of a daemon on a file system of 4 MiB that another program fills.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: SmallDisk.canBeMade))
struct ServeFullDiskTests {
    @Test func `a daemon on a full disk evicts cached responses, and accepts and emits requests`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let disk = try SmallDisk(at: root.path)
                defer { disk.remove() }
                let daemon = try await root.start()
                for _ in 0..<8 {
                    let answer = try await root.client.post(ServedPayload.media([origin.image]))
                    #expect(answer.json["outcome"] == "rich")
                }
                #expect(!disk.cachedFiles.isEmpty)
                try disk.fill()
                // Each request needs more space than is free. The cache has enough space for some of them.
                for _ in 0..<4 {
                    let answer = try await root.client.post(ServedPayload.text(String(repeating: "x", count: 10_000)))
                    #expect(answer.status == 200)
                }
                #expect(daemon.log.records("the disk is full").count == 1)
                #expect(try await daemon.terminate() == .init(status: 0, isBySignal: false))
            }
        }
    }

    @Test func `a daemon on a full disk evicts cached responses for media and for rejected files`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let disk = try SmallDisk(at: root.path)
                defer { disk.remove() }
                _ = try await root.start()
                for _ in 0..<8 { _ = try await root.client.post(ServedPayload.media([origin.image])) }
                try disk.fill()
                let answer = try await root.client.post(ServedPayload.media([origin.image]))
                #expect(answer.json["outcome"] == "rich", "\(answer.json["verdicts"] ?? nil)")
                let draft = "\(root.path)/draft"
                try Data("no JSON at all".utf8).write(to: URL(filePath: draft))
                try disk.fill()
                try FileSystem.rename(draft, to: root.path("incoming/wrong.json"))
                try await wait(for: "the rejected file") {
                    FileSystem.size(of: root.path("rejected/wrong.error.json")) != nil
                }
            }
        }
    }

    @Test func `a start on a full disk evicts cached responses`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let disk = try SmallDisk(at: root.path)
                defer { disk.remove() }
                let first = try await root.start()
                _ = try await root.client.post(ServedPayload.media([origin.image, origin.image]))
                try await first.terminate()
                try disk.fill()
                let second = try await root.start()
                let answer = try await root.client.post(ServedPayload.text("x"))
                #expect(answer.status == 200)
                #expect(try await second.terminate() == .init(status: 0, isBySignal: false))
            }
        }
    }

    @Test func `a daemon on a full disk ends in time after SIGTERM, and the next daemon emits its request`()
        async throws
    {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let disk = try SmallDisk(at: root.path)
                defer { disk.remove() }
                let daemon = try await root.start("--config", try root.write("fetch: {cacheQuota: 0}", as: "c.yaml"))
                let payload = ServedPayload.envelope(
                    ServedPayload.media([origin.stalled], title: String(repeating: "x", count: 200_000)), budget: "1s")
                let accepted = try await root.client.post(
                    payload, ["idempotency-key": "stuck", "prefer": "respond-async"])
                #expect(accepted.status == 202)
                await origin.waitUntil { $0.stallsReached >= 1 }
                try disk.fill()
                daemon.send(SIGTERM)
                #expect(try await daemon.end() == .init(status: 0, isBySignal: false))
                #expect(daemon.log.records("not written while it ends").count == 1)

                try disk.free()
                _ = try await root.start()
                let answer = try await root.client.post(payload, ["idempotency-key": "stuck"])
                #expect(answer.status == 200)
                #expect(answer.json["outcome"] == "fallback")
            }
        }
    }
}
