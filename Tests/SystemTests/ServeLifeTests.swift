import Base
import Foundation
import Glibc
import HTTPAPI
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of the messages of a daemon to its service manager (sd_notify).
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeLifeTests {
    @Test func `a daemon reports its start, its reload, its watchdog and its end`() async throws {
        try await ServedRoot.withRoot { root in
            let manager = try NotifySocket(path: root.path + ".notify")
            let daemon = try await root.start(
                through: ["/usr/bin/env", "NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=400000"])
            let ready = try await manager.message(with: "READY=1")
            #expect(ready.contains { $0.hasPrefix("STATUS=ready: 0 running, 0 queued") })
            for _ in 0..<3 { _ = try await manager.message(with: "WATCHDOG=1") }

            let before = MonotonicClock.microseconds
            daemon.send(SIGHUP)
            let reloading = try await manager.message(with: "RELOADING=1")
            let time = try #require(reloading.first { $0.hasPrefix("MONOTONIC_USEC=") }?.split(separator: "=").last)
            #expect(try #require(UInt64(time)) >= before)
            _ = try await manager.message(with: "READY=1")

            daemon.send(SIGTERM)
            _ = try await manager.message(with: "STOPPING=1")
            let end = try await daemon.end()
            #expect(end == .init(status: 0, isBySignal: false))
        }
    }

    @Test func `a daemon does not feed the watchdog of another process`() async throws {
        try await ServedRoot.withRoot { root in
            let manager = try NotifySocket(path: root.path + ".notify")
            let daemon = try await root.start(
                through: [
                    "/usr/bin/env", "NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=10000", "WATCHDOG_PID=1",
                ])
            _ = try await manager.message(with: "READY=1")
            try await daemon.terminate()
            var messages: [String] = []
            while case let message = try manager.next(), message != "" { messages.append(message) }
            #expect(messages.last?.hasPrefix("STOPPING=1") == true)
            #expect(!messages.contains { $0.contains("WATCHDOG") })
        }
    }
}
