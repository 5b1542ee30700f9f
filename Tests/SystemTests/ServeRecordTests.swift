import Base
import Foundation
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of recordings by a real daemon, and of their replays in virtual time.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServeRecordTests {
    struct Failure: Sendable, CustomTestStringConvertible {
        /// The path at the origin, or a whole URL.
        let path: String
        let reason: DegradationReason
        var budget = "2s"
        var testDescription: String { "\(reason.rawValue): \(path)" }
    }

    static let failures = [
        Failure(path: "/stall/headers/photo-small.jpg", reason: .budgetExceeded),
        Failure(path: "/stall/after/1000/photo-small.jpg", reason: .budgetExceeded),
        Failure(path: "/rate/20000/photo-12mp.jpg", reason: .budgetExceeded),
        Failure(path: "/delay/300ms/truncate/after/1000/photo-small.jpg", reason: .truncated),
        Failure(path: "/reset/after/1000/photo-small.jpg", reason: .connectionLost),
        Failure(path: "/status/404/photo-small.jpg", reason: .httpStatus),
        // The delay is shorter than `fetch.hedgeAfter`, so that no second connection races with the answer.
        Failure(path: "/delay/700ms/status/503/photo-small.jpg", reason: .httpStatus, budget: "5s"),
        Failure(path: "/flaky/1/delay/100ms/reset/after/10/not-a-picture.jpg", reason: .unsupportedMedia),
        Failure(path: "/page/photo-small.jpg", reason: .unsupportedMedia),
        Failure(path: "/header/Content-Length:90000000/photo-small.jpg", reason: .tooLarge),
        Failure(path: "/endless/photo-12mp.jpg", reason: .tooLarge, budget: "20s"),
        Failure(path: "/truncated.jpg", reason: .corruptMedia),
        Failure(path: "/redirect/loop", reason: .redirectRefused),
        Failure(path: "/redirect/to/%2Fstatus%2F410%2Fphoto-small.jpg", reason: .httpStatus),
        Failure(path: "/photo-small.jpg", reason: .budgetExceeded, budget: "1ms"),
        Failure(path: "http://127.0.0.1:1/a.jpg", reason: .connectFailed),
        Failure(path: "http://photos.example.net/a.jpg", reason: .dnsFailed),
        Failure(path: "http://10.0.0.1/a.jpg", reason: .forbiddenAddress),
    ]

    /// Starts a daemon that records, whose name server does not exist.
    private static func start(_ root: ServedRoot, _ rest: String = "") async throws -> ServedDaemon {
        let configuration = try root.write(
            "fetch: {nameServers: [\"127.0.0.1:1\"], circuitBreaker: off\(rest)}\nmedia: {damaged: refuse}\n",
            as: "c-\(UUID().uuidString).yaml")
        return try await root.start("--record", ServedRecordings(of: root).path, "--config", configuration)
    }

    @Test func `each kind of failure is replayed to the same outcome, reason and class of times`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await Self.start(root)
                let recordings = ServedRecordings(of: root)
                for (number, failure) in Self.failures.enumerated() {
                    let url = failure.path.hasPrefix("/") ? origin.baseURL + failure.path : failure.path
                    let payload = ServedPayload.envelope(
                        ServedPayload.media([url]), budget: failure.budget, ", \"id\": \"failure-\(number)\"")
                    let answer = try await root.client.post(payload)
                    #expect(answer.json["reason"]?.string == failure.reason.rawValue, "\(failure.testDescription)")
                    try await recordings.wait(forCount: number + 1)
                }
                #expect(try await daemon.terminate() == .init(status: 0, isBySignal: false))
                let run = try await recordings.replay("--json", root.path + "/replay.json")
                let texts = (run.output + run.errors).filter { !$0.hasPrefix("ok") }.joined(separator: "\n")
                let everything = try recordings.text
                #expect(run.status == 0, "\(texts)\n\(everything.prefix(20_000))")
                #expect(run.output.count(where: { $0.hasPrefix("ok") }) == Self.failures.count)
                // Each scenario expects what the daemon has reported.
                let scenarios = try recordings.names.map { name in
                    String(decoding: try FileSystem.contents(of: "\(recordings.path)/\(name)"), as: UTF8.self)
                }
                for (number, failure) in Self.failures.enumerated() {
                    let scenario = try #require(scenarios.first { $0.contains("name: \"failure-\(number): ") })
                    #expect(scenario.contains("  reason: \(failure.reason.rawValue)\n"))
                }
                let mode =
                    try FileManager.default.attributesOfItem(
                        atPath: "\(recordings.path)/\(recordings.names[0])")[.posixPermissions] as? Int
                #expect(mode == 0o600)
                let folder = try FileManager.default.attributesOfItem(atPath: recordings.path)[.posixPermissions]
                #expect(folder as? Int == 0o700)
            }
        }
    }

    @Test func `a scenario from a recording holds, and an id finds its recording`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await Self.start(root)
                let recordings = ServedRecordings(of: root)
                let urls = [origin.baseURL + "/photo-small.jpg", origin.baseURL + "/status/404/a.jpg"]
                let answer = try await root.client.post(
                    ServedPayload.envelope(ServedPayload.media(urls), budget: "5s", ", \"id\": \"msg-1\""))
                #expect(answer.json["outcome"] == "partial")
                try await recordings.wait(forCount: 1)
                let made = try await ProgramRun.appgroupd("lab", "new", "--folder", recordings.path, "msg-1")
                #expect(made.status == 0, "\(made.errors)")
                let file = try root.write(made.output.joined(separator: "\n"), as: "msg-1.yaml")
                let run = try await ProgramRun.appgroupd("lab", "run", file)
                #expect(run.status == 0, "\(made.output) \(run.output) \(run.errors)")
                let replay = try await ProgramRun.appgroupd("lab", "replay", "--folder", recordings.path, "msg-1")
                #expect(replay.status == 0 && replay.output.first?.hasPrefix("ok    msg-1: partial") == true)
                let unknown = try await ProgramRun.appgroupd("lab", "replay", "--folder", recordings.path, "msg-2")
                #expect(unknown.status == 2 && unknown.errors.count == 1, "\(unknown.errors)")
            }
        }
    }

    @Test func `rich results and texts are not recorded`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await Self.start(root)
                let rich = try await root.client.post(ServedPayload.media([origin.image]))
                #expect(rich.json["outcome"] == "rich")
                _ = try await root.client.post(ServedPayload.text("x"))
                try await daemon.terminate()
                #expect(ServedRecordings(of: root).names == [])
            }
        }
    }

    @Test func `recordings have the texts of the payload and no secret`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await Self.start(
                    root, ", headers: {\"127.0.0.1\": {Authorization: \"Bearer s3cret-header\"}}")
                let recordings = ServedRecordings(of: root)
                let url =
                    origin.baseURL
                    + "/header/Set-Cookie:a=s%33cret-cookie/status/404/photo-small.jpg?token=s3cret-query"
                let payload = """
                    {"id": "msg-1", "budget": "5s", "recipient": "s3cret-anna", "labels": ["s3cret-label"],
                     "headers": {"authorization": "bearer s3cret-apns", "apns-priority": "10"},
                     "payload": {"title": "Rosenrot", "body": "See https://a.example/x?code=s3cret-link", "fallback": {"body": "Distelfink"},
                     "device_token": "s3cret-device", "link": "https://anna:s3cret-password@a.example/",
                     "long": "s3cretS3cretS3cretS3cretS3cret99", "media": [{"url": "\(url)"}]}}
                    """
                let answer = try await root.client.post(payload, ["authorization": "Bearer s3cret-caller"])
                #expect(answer.json["reason"] == "http-status", "\(answer.json)")
                try await recordings.wait(forCount: 1)
                try await daemon.terminate()
                let text = try recordings.text
                #expect(!text.contains("s3cret"), "\(text)")
                #expect(
                    text.contains("Rosenrot") && text.contains("Distelfink") && text.contains("https://a.example/x"))
                let run = try await recordings.replay()
                #expect(run.status == 0, "\(run.output) \(run.errors)")
            }
        }
    }

    @Test func `two identical failures at a time share their files, and both are replayed`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await Self.start(root)
                let recordings = ServedRecordings(of: root)
                let payload = ServedPayload.media([origin.baseURL + "/delay/300ms/truncated.jpg"])
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for id in ["a", "b"] {
                        group.addTask {
                            let envelope = ServedPayload.envelope(payload, budget: "5s", ", \"id\": \"\(id)\"")
                            let answer = try await root.client.post(envelope)
                            #expect(answer.json["reason"] == "corrupt-media")
                        }
                    }
                    try await group.waitForAll()
                }
                try await recordings.wait(forCount: 2)
                try await daemon.terminate()
                #expect(recordings.files.count == 2, "\(recordings.files)")
                let run = try await recordings.replay()
                #expect(run.status == 0, "\(run.output) \(run.errors)")
            }
        }
    }

    @Test func `an erasure removes the recordings about its target with their files`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await Self.start(root)
                let recordings = ServedRecordings(of: root)
                for name in ["anna", "ben"] {
                    let payload = ServedPayload.media([origin.fresh("/status/404/a.jpg")], title: "for-\(name)")
                    _ = try await root.client.post(
                        ServedPayload.envelope(payload, budget: "5s", ", \"recipient\": \"\(name)\""))
                }
                try await recordings.wait(forCount: 2)
                #expect(try recordings.text.contains("for-anna"))
                let answer = try await root.client.request("DELETE", "/v1/notifications?recipient=anna")
                let place = try #require(answer.headers["location"])
                try await wait(for: "the end of the erasure") {
                    try await root.client.request("GET", place).json["state"] == "done"
                }
                let erased = try await root.client.request("GET", place).json["erased"]
                #expect(erased?["recordings"]?.integer == 1)
                #expect(recordings.names.count == 1 && recordings.files.count == 1)
                let text = try recordings.text
                #expect(!text.contains("for-anna") && text.contains("for-ben"))
            }
        }
    }

    @Test func `the oldest recordings are removed when the quota is full`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let configuration = try root.write("record: {quota: 1MiB}", as: "quota.yaml")
                let recordings = ServedRecordings(of: root)
                let daemon = try await root.start("--record", recordings.path, "--config", configuration)
                for number in 1...8 {
                    let title = String(repeating: "\(number) ", count: 100_000)
                    let payload = ServedPayload.media([origin.fresh("/status/404/a.jpg")], title: title)
                    _ = try await root.client.post(
                        ServedPayload.envelope(payload, budget: "5s", ", \"id\": \"n-\(number)\""))
                }
                try await daemon.terminate()
                let sizes =
                    (recordings.names.map { "\(recordings.path)/\($0)" }
                    + recordings.files.map { "\(recordings.path)/files/\($0)" }).compactMap(FileSystem.size(of:))
                #expect(sizes.reduce(0, +) <= 1 << 20)
                let text = try recordings.text
                #expect(text.contains("name: \"n-8: ") && !text.contains("name: \"n-1: "), "\(recordings.names)")
                #expect(recordings.names.count >= 3 && recordings.names.count == recordings.files.count)
            }
        }
    }

    @Test func `a killed daemon leaves no torn recording, and the next one removes the remains`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let first = try await Self.start(root)
                let recordings = ServedRecordings(of: root)
                for number in 1...40 {
                    _ = try await root.client.post(
                        ServedPayload.envelope(
                            ServedPayload.media([origin.fresh("/status/404/a.jpg")], title: "\(number)"),
                            budget: "5s"), ["prefer": "respond-async"])
                }
                try await recordings.wait(forCount: 3)
                try await first.kill()
                let lint = try await ProgramRun.appgroupd("lab", "lint", recordings.path)
                #expect(lint.status == 0, "\(lint.output) \(lint.errors)")
                // The remains of two writes that did not end, and a file of the owner.
                let name = String(repeating: "a", count: 32) + ".yaml.part-1"
                try FileSystem.write([1], toFile: "\(recordings.path)/\(name)")
                try FileSystem.write([1], toFile: "\(recordings.path)/files/\(String(repeating: "b", count: 64)).jpg")
                try FileSystem.write([1], toFile: "\(recordings.path)/files/notes.txt")
                let second = try await Self.start(root)
                try await second.terminate()
                #expect(!(try FileSystem.names(in: recordings.path)).contains { $0.contains(".part-") })
                #expect(!recordings.files.contains { $0.hasPrefix("bbbb") } && recordings.files.contains("notes.txt"))
                let again = try await ProgramRun.appgroupd("lab", "lint", recordings.path)
                #expect(again.status == 0, "\(again.output) \(again.errors)")
            }
        }
    }

    @Test(.enabled(if: SmallDisk.canBeMade))
    func `a full disk stops the recording, and neither fails nor delays requests`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let recordings = ServedRecordings(of: root)
                try FileSystem.makeDirectory(recordings.path)
                let disk = try SmallDisk(at: recordings.path)
                defer { disk.remove() }
                let daemon = try await Self.start(root)
                try disk.fill()
                for _ in 1...5 {
                    let answer = try await root.client.post(ServedPayload.media([origin.fresh("/status/404/a.jpg")]))
                    #expect(answer.status == 200 && answer.json["reason"] == "http-status")
                }
                try await daemon.log.wait(for: "failed requests are not recorded")
                #expect(recordings.names == [])
                let metrics = try await root.client.request("GET", "/metrics")
                let text = String(decoding: metrics.body, as: UTF8.self)
                #expect(text.contains("appgroupd_recordings_total{result=\"failed\"} 1\n"))
                #expect(text.contains("appgroupd_recordings_bytes 0\n"))
                try await daemon.terminate()
                #expect(daemon.log.records("failed requests are not recorded").count == 1)
            }
        }
    }

    @Test func `a folder that cannot be made ends the start with status 2`() async throws {
        try await ServedRoot.withRoot { root in
            let file = try root.write("x", as: "file")
            let run = try await ProgramRun.appgroupd(
                "serve", "--root", root.path, "--listen", "none", "--record", file + "/recordings")
            #expect(run.status == 2)
            #expect(run.errors.contains { $0.contains("--record") && $0.contains("name a folder") }, "\(run.errors)")
        }
    }
}
