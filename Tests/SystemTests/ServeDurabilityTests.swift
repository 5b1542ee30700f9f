import Base
import Foundation
import Glibc
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of the syncs before a response of the daemon, and of failed syncs. strace observes the real system calls, and
/// makes them fail.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeDurabilityTests {
    @Test func `the daemon responds after it has synced the WAL of its journal`() async throws {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            let trace = try await TracedCalls(
                of: daemon.pid, ["--trace=fdatasync,write,writev,sendto", "--decode-fds=path"], in: root)
            let count = 10
            for number in 0..<count {
                #expect(try await root.client.post(ServedPayload.text("text \(number)")).status == 200)
            }
            let calls = try await trace.end()
            var synced = 0
            var answers = 0
            for call in calls {
                if call.contains("fdatasync("), call.contains("journal.sqlite-wal"), call.hasSuffix("= 0") {
                    synced += 1
                }
                guard call.contains("HTTP/1.1 200 OK") else { continue }
                answers += 1
                #expect(synced >= 1, "no sync precedes the response: \(call.prefix(200))")
                synced = 0
            }
            #expect(answers == count)
        }
    }

    @Test func `the daemon refuses a request whose sync fails, and continues with new descriptors`() async throws {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            #expect(
                try await root.client.post(ServedPayload.text("before"), ["idempotency-key": "before"]).status == 200)
            let trace = try await TracedCalls(
                of: daemon.pid, ["--trace=fdatasync", "--inject=fdatasync:error=EIO:when=1", "--decode-fds=path"],
                in: root)
            let refused = try await root.client.post(ServedPayload.text("lost"), ["idempotency-key": "lost"])
            #expect(refused.status == 503)
            #expect(refused.json["type"] == "/problems/storage-failed")
            let calls = try await trace.end()
            let failed = try #require(calls.first { $0.contains("journal.sqlite-wal") && $0.contains("EIO") })
            let descriptor = try #require(failed.firstMatch(of: /fdatasync\((\d+)</)?.1)
            // Connections that only read keep their descriptors.
            #expect(!root.walDescriptors(of: daemon).contains(String(descriptor)))
            #expect(daemon.log.records("the journal cannot be written").count == 1)
            #expect(try await root.client.get("before").status == 200)
            #expect(try await root.client.get("lost").status == 404)
            #expect(try await root.client.post(ServedPayload.text("lost"), ["idempotency-key": "lost"]).status == 200)
            #expect(try await daemon.terminate() == .init(status: 0, isBySignal: false))
        }
    }

    @Test func `a daemon with a removed root ends with status 1, even during a request`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let accepted = try await root.client.post(
                    ServedPayload.media([origin.stalled]), ["prefer": "respond-async"])
                #expect(accepted.status == 202)
                await origin.waitUntil { $0.stallsReached >= 1 }
                try FileManager.default.removeItem(atPath: root.path)
                #expect(try await daemon.end() == .init(status: 1, isBySignal: false))
            }
        }
    }

    @Test func `a daemon with a renamed root refuses requests and ends with status 1`() async throws {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            #expect(try await root.client.post(ServedPayload.text("before")).status == 200)
            // The socket moves together with the root.
            let away = root.path + ".away"
            try FileSystem.rename(root.path, to: away)
            let client = DaemonClient(socketPath: away + "/appgroupd.sock")
            let status = try? await client.post(ServedPayload.text("after")).status
            #expect(status == nil || status == 503, "the daemon accepted a request")
            #expect(try await daemon.end() == .init(status: 1, isBySignal: false))
            #expect(daemon.log.lines.elements.contains { $0.contains("removed or replaced") && $0.contains("error") })
        }
    }
}

/// The system calls of a running process, which strace writes to a file.
private final class TracedCalls {
    private let process = Process()
    private let file: String

    /// Starts strace, and returns when it has attached to all threads.
    init(of pid: Int32, _ options: [String], in root: ServedRoot) async throws {
        file = root.path + "/../calls"
        process.executableURL = URL(filePath: "/usr/bin/strace")
        process.arguments = ["--follow-forks", "--string-limit=64", "--output=\(file)", "--attach=\(pid)"] + options
        let (log, writer) = try ServedLog.open(on: root.loop)
        defer { close(writer) }
        process.standardError = FileHandle(fileDescriptor: writer)
        try process.run()
        try await log.lines.first { $0.contains("attached") }
    }

    /// Ends the trace, and returns a line for each call, in the order in which the calls ended. strace is ended with
    /// SIGKILL, because strace inherits blocked signals from its parent thread. The kernel then detaches the traced
    /// process.
    func end() async throws -> [String] {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        // strace writes a call in two parts if the call of another thread is written between them.
        var begun: [Substring: String] = [:]
        return lines.compactMap { line in
            let thread = line.prefix { $0 != " " }
            if line.hasSuffix(" <unfinished ...>") {
                begun[thread] = line.replacing(" <unfinished ...>", with: "")
                return nil
            }
            guard let end = line.firstRange(of: " resumed>"), let start = begun.removeValue(forKey: thread) else {
                return line
            }
            return start + line[end.upperBound...]
        }
    }
}

extension ServedRoot {
    /// Returns the numbers of the descriptors with which a daemon has opened the WAL of its journal.
    fileprivate func walDescriptors(of daemon: ServedDaemon) -> Set<String> {
        let directory = "/proc/\(daemon.pid)/fd"
        let names = (try? FileSystem.names(in: directory)) ?? []
        return Set(
            names.filter { name in
                FileSystem.linkTarget(of: "\(directory)/\(name)")?.hasSuffix("/.appgroupd/journal.sqlite-wal") == true
            })
    }
}
