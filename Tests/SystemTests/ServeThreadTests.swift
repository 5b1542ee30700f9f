import LinuxIO
import TestSupport
import Testing

/// Tests of the threads that ARCHITECTURE.md lists.
@Suite struct ServeThreadTests {
    @Test(.timeLimit(.minutes(1)))
    func `a daemon owns ten threads, and up to three more only for transfers`() async throws {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            let tasks = "/proc/\(daemon.pid)/task"
            let names = try FileSystem.names(in: tasks).compactMap { task in
                // A thread of a library may end in the meantime.
                (try? FileSystem.contents(of: "\(tasks)/\(task)/comm")).map {
                    String(decoding: $0.dropLast(), as: UTF8.self)
                }
            }
            let owned = names.filter { $0.hasPrefix("agd-") && $0 != "agd-look" }.sorted()
            #expect(
                Set(owned).subtracting(["agd-curl-2", "agd-curl-3", "agd-curl-4"]) == [
                    "agd-curl", "agd-disk", "agd-files", "agd-journal", "agd-large", "agd-log", "agd-media",
                    "agd-settle", "agd-time",
                ])
            #expect(owned.count == Set(owned).count)
            _ = try await daemon.terminate()
        }
    }
}
