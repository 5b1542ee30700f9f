import Base
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of a daemon with responses that are much larger after decoding than on the wire.
@Suite(.serialized, .timeLimit(.minutes(1))) struct EncodedBombTests {
    private static let requestCount = 16

    /// A decoder keeps its window until the end of the transfer. The window has 32 KiB for gzip, 16 MiB for br, and 128
    /// MiB for zstd.
    @Test(arguments: ["/stall/after/1400/bomb/gzip", "/stall/after/30/bomb/br", "/stall/after/1400/bomb/zstd"])
    func `sixteen stalled encoded responses add at most 64 MiB to the daemon's memory`(_ path: String) async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                // The first request creates everything that is created only once.
                #expect(try await root.client.post(ServedPayload.media([origin.image])).json["outcome"] == "rich")
                let before = try #require(ProcessMemory.peakBytes(of: daemon.pid))
                try await withThrowingTaskGroup { group in
                    for number in 0..<Self.requestCount {
                        let payload = ServedPayload.media(["\(origin.baseURL)\(path)?\(number)"])
                        group.addTask {
                            let answer = try await root.client.post(ServedPayload.envelope(payload, budget: "2s"))
                            #expect(answer.json["outcome"] == "fallback")
                        }
                    }
                    try await group.waitForAll()
                }
                let peak = try #require(ProcessMemory.peakBytes(of: daemon.pid))
                print("\(path): \(before >> 20) MiB before, at most \(peak >> 20) MiB")
                #expect(peak - before <= 64 << 20)
            }
        }
    }
}
