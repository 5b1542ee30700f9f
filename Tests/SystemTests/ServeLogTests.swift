import Base
import Foundation
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of the log of a daemon: its file, and the ids that lead from a call to its result.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeLogTests {
    private static let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private static func records(of path: String) throws -> [JSONValue] {
        try String(decoding: FileSystem.contents(of: path), as: UTF8.self).split(separator: "\n").map {
            try JSONParser.value(of: String($0))
        }
    }

    @Test func `the lines of a call and of its request have the ids that the caller sent`() async throws {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            let answer = try await root.client.post(
                ServedPayload.text("x"),
                ["x-request-id": "call-7", "traceparent": Self.trace, "idempotency-key": "k-7"])
            #expect(answer.json["traceparent"] == .string(Self.trace))
            #expect(answer.json["requestId"] == "call-7")
            let emitted = try await daemon.log.wait(for: "emitted")
            let answered = try await daemon.log.wait(for: "answered")
            #expect(emitted["id"] == "k-7")
            for line in [emitted, answered] {
                #expect(line["request-id"] == "call-7")
                #expect(line["traceparent"] == .string(Self.trace))
            }
        }
    }

    @Test func `an invalid traceparent of a call is ignored, and one of an envelope is refused`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            let ignored = try await root.client.post(ServedPayload.text("x"), ["traceparent": "00-0-0-0"])
            #expect(ignored.status == 200)
            #expect(ignored.json["traceparent"] == nil)
            let refused = try await root.client.post(
                ServedPayload.envelope(ServedPayload.text("x"), budget: "5s", #", "traceparent": "00-0-0-0""#))
            #expect(refused.status == 400)
            let own = Self.trace.replacing("-01", with: "-00")
            let envelope = try await root.client.post(
                ServedPayload.envelope(ServedPayload.text("x"), budget: "5s", #", "traceparent": "\#(own)""#),
                ["traceparent": Self.trace])
            #expect(envelope.json["traceparent"] == .string(own))
        }
    }

    @Test func `the traceparent of a call survives a kill of the daemon`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let bare = ServedPayload.media([origin.stalled])
                let envelope = ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "5s")
                for (id, body) in [("bare", bare), ("envelope", envelope)] {
                    var headers = ["prefer": "respond-async", "idempotency-key": id, "traceparent": Self.trace]
                    if id == "bare" { headers["request-timeout"] = "5" }
                    #expect(try await root.client.post(body, headers).status == 202)
                }
                await origin.waitUntil { $0.stallsReached >= 2 }
                try await daemon.kill()
                let next = try await root.start()
                for (id, body) in [("bare", bare), ("envelope", envelope)] {
                    try await root.client.emission(of: id)
                    let content = try await root.client.get(id)
                    #expect(content.json["outcome"] == "fallback")
                    #expect(content.json["content"]["body"] == "without")
                    #expect(content.json["traceparent"] == .string(Self.trace))
                    // A repeated call joins, with another trace.
                    let again = try await root.client.post(body, ["idempotency-key": id, "traceparent": "00-x"])
                    #expect(again.status == 200 || id == "bare", "\(again.json)")
                }
                let emitted = next.log.records("emitted")
                #expect(emitted.count == 2)
                #expect(emitted.allSatisfy { $0["traceparent"] == .string(Self.trace) })
            }
        }
    }

    @Test func `the log file has its own level, and is rotated when it is full`() async throws {
        try await ServedRoot.withRoot { root in
            let file = try root.write("", as: "daemon.log")
            let configuration = """
                log: {level: notice, file: \(file), fileLevel: info, fileBytes: 64KiB, fileCount: 2}
                """
            let path = try root.write(configuration, as: "appgroupd.yaml")
            let daemon = try await root.start("--config", path)
            for number in 0..<400 { _ = try await root.client.post(ServedPayload.text("\(number)")) }
            try await daemon.terminate()
            #expect(daemon.log.records("emitted").isEmpty)
            let (current, older) = (try Self.records(of: file), try Self.records(of: file + ".1"))
            #expect(FileSystem.size(of: file) ?? 0 <= 64 << 10)
            #expect(FileSystem.size(of: file + ".2") == nil)
            #expect((older + current).contains { $0["message"] == "emitted" })
            #expect(current.last?["message"] == "ended")
        }
    }

    @Test func `a reload changes the levels and opens a moved file again`() async throws {
        try await ServedRoot.withRoot { root in
            let file = try root.write("", as: "daemon.log")
            func configure(_ level: String) throws -> String {
                try root.write("log: {file: \(file), fileLevel: \(level)}\n", as: "appgroupd.yaml")
            }
            let daemon = try await root.start("--config", try configure("error"))
            _ = try await root.client.post(ServedPayload.text("unheard"))
            try FileSystem.rename(file, to: file + ".moved")
            _ = try configure("info")
            daemon.send(SIGHUP)
            try await daemon.log.wait(for: "log.fileLevel is now info, was error")
            // The level changes after its line, and before the next reload is logged.
            daemon.send(SIGHUP)
            try await daemon.log.wait(for: "reloaded: nothing has changed")
            _ = try await root.client.post(ServedPayload.text("heard"))
            try await daemon.terminate()
            #expect(FileSystem.size(of: file + ".moved") == 0)
            #expect(try Self.records(of: file).contains { $0["message"] == "emitted" })
        }
    }

    @Test func `a log file whose directory is missing is wrong configuration`() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("log: {file: /nowhere/appgroupd.log}\n", as: "appgroupd.yaml")
        let run = try await ProgramRun.appgroupd(
            "serve", "--root", directory.path, "--listen", "none", "--config", path)
        #expect(run.status == 2)
        let problem = "log.file: open /nowhere/appgroupd.log: No such file"
        #expect(run.errors.contains { $0.contains(problem) }, "\(run.errors)")
    }

    @Test(.enabled(if: SmallDisk.canBeMade))
    func `a full disk of the log file delays and fails no request`() async throws {
        try await ServedRoot.withRoot { root in
            let directory = try TemporaryDirectory()
            let disk = try SmallDisk(at: directory.path)
            defer { disk.remove() }
            let file = directory.path + "/daemon.log"
            let path = try root.write("log: {file: \(file), fileBytes: 64KiB, fileCount: 2}\n", as: "appgroupd.yaml")
            let daemon = try await root.start("--config", path)
            _ = try await root.client.post(ServedPayload.text("before"))
            try disk.fill()
            for number in 0..<300 {
                let answer = try await root.client.post(ServedPayload.text("\(number)"))
                #expect(answer.status == 200)
            }
            let metrics = try await root.client.request("GET", "/metrics")
            let dropped = try ServedMetrics(String(decoding: metrics.body, as: UTF8.self))
                .value("appgroupd_log_dropped_lines_total", labels: #"destination="file""#)
            #expect(dropped ?? 0 > 0)
            try disk.free()
            _ = try await root.client.post(ServedPayload.text("after"))
            try await daemon.terminate()
            // Each line of the files is whole.
            for name in try FileSystem.names(in: directory.path) {
                _ = try Self.records(of: "\(directory.path)/\(name)")
            }
            #expect(try Self.records(of: file).last?["message"] == "ended")
        }
    }
}
