import Base
import Foundation
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests that logs and output have no content of payloads.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServePrivacyTests {
    private static let secrets = ["Rosenrot", "Distelfink", "Quittengelb", "Nachtigall", "Eisvogel"]

    @Test func `logs and output contain no texts, no queries and no tokens`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start("--log-level", "trace")
                let outbox = try await root.readOutbox()
                let urls = ["/photo-small.jpg", "/no/such.jpg", "/stall/headers/photo-small.jpg", "/truncated.jpg"].map
                {
                    origin.baseURL + $0 + "?token=Distelfink"
                }
                let payloads = urls.map {
                    ServedPayload.envelope(
                        ServedPayload.media([$0], title: "Rosenrot", fallback: "Quittengelb"), budget: "1s")
                }
                for (number, payload) in payloads.enumerated() {
                    let answer = try await root.client.post(
                        payload,
                        ["idempotency-key": "k-\(number)", "authorization": "Bearer Nachtigall"])
                    #expect(answer.status == 200)
                    #expect(answer.json["content"]["title"] == "Rosenrot")
                    try root.drop(payload, as: "n-\(number)")
                }
                // The JSON is invalid between two secret texts.
                let broken = try await root.client.post(#"{"title": "Rosenrot" "Quittengelb"}"#)
                #expect(broken.status == 400)
                let unusable = try await root.client.post(#"{"budget": "Eisvogel", "payload": {"a": "Rosenrot"}}"#)
                #expect(unusable.status == 400)
                try root.drop(#"{"title": "Rosenrot" "Quittengelb"}"#, as: "bad")
                try root.drop(#"{"budget": "Eisvogel", "payload": {"a": "Rosenrot"}}"#, as: "worse")
                _ = try await root.client.request("GET", "/v1/notifications/none?group=Eisvogel")
                _ = try await root.client.request("GET", "/readyz?token=Distelfink")
                try await outbox.taken.wait(forCount: payloads.count)
                try await daemon.log.wait(for: "a spooled file was rejected", count: 2)
                try await daemon.terminate()

                let output = try root.output
                #expect(output.contains("ready"))
                for secret in Self.secrets {
                    let line = output.split(separator: "\n").first { $0.contains(secret) }
                    #expect(line == nil, "\(secret)")
                }
            }
        }
    }

    /// A worker makes itself unreadable, so only root can list its descriptors.
    @Test(.enabled(if: geteuid() == 0, "root alone can look at a worker's descriptors"))
    func `a running worker has no descriptor of the daemon's log and output`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start("--workers", "1")
                let content = try await root.client.post(ServedPayload.media([origin.image]))
                #expect(content.json["outcome"] == "rich")
                let streams = try [1, 2].map { try #require(FileSystem.linkTarget(of: "/proc/\(daemon.pid)/fd/\($0)")) }
                #expect(streams[1].hasPrefix("pipe:"))
                let workers = LeakCensus.take(of: "\(daemon.pid)").children
                #expect(workers.count == 1)
                for worker in workers {
                    let descriptors = try FileSystem.names(in: "/proc/\(worker)/fd")
                    #expect(descriptors.count >= 4)
                    for descriptor in descriptors {
                        let target = FileSystem.linkTarget(of: "/proc/\(worker)/fd/\(descriptor)") ?? ""
                        #expect(!streams.contains(target), "\(descriptor) is \(target)")
                    }
                }
            }
        }
    }
}
