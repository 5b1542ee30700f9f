import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests that many requests leave no open resource in a daemon.
@Suite(.serialized) struct ServeLeakTests {
    private static let workers = 2

    @Test(.timeLimit(.minutes(1)))
    func `three hundred requests of every kind leave no open descriptor, no thread and no child process`() async throws
    {
        try await Self.run(parts: 1, of: 300)
    }

    @Test(.enabled(if: TestLength.isLong), .timeLimit(.minutes(30)))
    func `ten thousand requests leave no open descriptor and no child process, and memory does not grow`() async throws
    {
        try await Self.run(parts: 5, of: 2_000)
    }

    private static func run(parts: Int, of requests: Int) async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start("--workers", "\(workers)", "--log-level", "debug")
                let outbox = try await root.readOutbox()
                let client = ServedLoad(root: root, origin: origin, outbox: outbox)
                // These resources are opened once and kept: connections, workers, threads, and the files of the
                // databases.
                try await client.run(100)
                // The tables of recent images are filled up to their limits.
                if parts > 1 { try await client.runImages(10_000) }
                let before = try await quiet(daemon, root)
                var memory: [Int] = []
                for _ in 0..<parts {
                    try await client.run(requests)
                    // The measurement excludes memory that is free but not yet returned to the kernel.
                    if parts > 1 { memory.append(try await Self.residentKibibytes(inQuietOf: daemon, client)) }
                }
                let after = try await quiet(daemon, root)
                for (kind, count) in after.descriptors where kind != "socket" {
                    #expect(count <= before.descriptors[kind, default: 0], "\(kind): \(before) -> \(after)")
                }
                // Connections to the origin may be kept for the next request.
                #expect(after.descriptors["socket", default: 0] <= before.descriptors["socket", default: 0] + 16)
                // Dispatch starts and ends its own threads at any time.
                #expect(after.threads <= before.threads + 2)
                #expect(after.children.count <= workers)
                if parts > 1 {
                    print("resident, in KiB, every \(requests) requests: \(memory)\n\(before)\n\(after)")
                    // The limit is half a kilobyte for each request.
                    let growth = memory[parts - 1] - memory[0]
                    #expect(growth < (parts - 1) * requests / 2, "\(memory)")
                }
                let end = try await daemon.terminate()
                #expect(end == .init(status: 0, isBySignal: false))
                for place in ["incoming", "claimed", ".staged"] { #expect(root.names(in: place).isEmpty) }
            }
        }
    }

    /// Returns the census of an idle daemon: two equal censuses in a row, with a request between them. While the daemon
    /// syncs the file system after results, it has the root open. The sync can take seconds on a busy disk.
    private static func quiet(_ daemon: ServedDaemon, _ root: ServedRoot) async throws -> LeakCensus {
        var last = LeakCensus.take(of: "\(daemon.pid)")
        for _ in 0..<1_000 {
            let load = try await root.client.request("GET", "/v1/status").json["load"]
            let census = LeakCensus.take(of: "\(daemon.pid)")
            let isSyncing = census.descriptors[root.path] != nil
            if load["running"] == 0, load["queued"] == 0, census == last, !isSyncing { return census }
            last = census
            if isSyncing { try await Task.sleep(for: .milliseconds(10)) }
        }
        return last
    }

    /// Returns the resident memory after the idle daemon has returned its free memory to the kernel. One more request
    /// is sent first, because the daemon may have returned memory before this call.
    private static func residentKibibytes(inQuietOf daemon: ServedDaemon, _ client: ServedLoad) async throws -> Int {
        let rest = "memory returned to the system"
        let before = daemon.log.records(rest).count
        try await client.run(1)
        try await daemon.log.wait(for: rest, count: before + 1)
        let status = (try? String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
