import Base
import FeatureKit
import Foundation
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import ServiceConfiguration
import TestSupport
import Testing

@testable import appgroupd

/// Tests that a daemon with few descriptors serves every group, or reports the reason for a failure.
@Suite(.timeLimit(.minutes(1))) struct ServeDescriptorTests {
    /// The smallest limit for a daemon that listens only on its socket.
    private static var least: Int {
        var configuration = Configuration.ofThisMachine
        configuration.listen = nil
        return DescriptorBudget.least(configuration)
    }

    @Test(arguments: [16, 64, -1])
    func `serve refuses to start with too few open files`(_ count: Int) async throws {
        let openFiles = count > 0 ? count : Self.least - 1
        let directory = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(
            ["serve", "--root", directory.path + "/root", "--listen", "none"], through: ProgramRun.openFiles(openFiles))
        #expect(run.status == 2)
        #expect(run.errors.count == 1)
        #expect(
            run.errors.first?.hasPrefix(
                "appgroupd: the limit is \(openFiles) open files, and the daemon needs at least \(Self.least) with ")
                == true, "\(run.errors)")
        #expect(run.errors.first?.hasSuffix(": raise it with LimitNOFILE= in the unit or ulimit -n") == true)
        #expect(FileSystem.size(of: directory.path + "/root") == nil)
    }

    @Test(arguments: [(100, "failed"), (1_024, "warning"), (0, nil)] as [(Int, String?)])
    func `doctor reports how a daemon would use the open files and the inotify watches`(
        _ openFiles: Int, _ status: String?
    ) async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd(
            ["doctor", "--root", root.path, "--format", "json"],
            through: openFiles > 0 ? ProgramRun.openFiles(openFiles) : [])
        let checks = try #require(try run.contents.first?["checks"]?.array)
        func found(_ name: String) -> JSONValue? {
            checks.first { $0["area"] == "limits" && $0["name"]?.string == name }
        }
        let files = try #require(found("open files"))
        if let status { #expect(files["status"]?.string == status) }
        let words = files["found"]?.string ?? ""
        let expected =
            openFiles == 100 ? "needs at least \(DescriptorBudget.least(.ofThisMachine))" : "open app groups at a time"
        #expect(words.contains(expected), "\(words)")
        #expect(found("inotify")?["found"]?.string?.contains("a daemon takes") == true)
    }

    @Test func `metrics and doctor show the descriptors of each kind`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start("--config", "/dev/null", openFiles: 1_024)
            let body = try await root.client.request("GET", "/metrics").body
            let metrics = try ServedMetrics(String(decoding: body, as: UTF8.self))
            let sum = try #require(metrics.value("appgroupd_descriptors"))
            // Each media item has a kept connection beside its descriptors.
            #expect((800...1_024).contains(sum))
            #expect(metrics.value("appgroupd_descriptors", labels: #"kind="margin",state="free""#) == 32)
            let run = try await ProgramRun.appgroupd(["doctor", "--root", root.path, "--format", "json"])
            let checks = try #require(try run.contents.first?["checks"]?.array)
            let check = checks.first { $0["name"]?.string == "descriptors" }
            let found = check?["found"]?.string ?? ""
            for kind in DescriptorBudget.Kind.allCases { #expect(found.contains("\(kind.rawValue) "), "\(found)") }
            #expect(found.contains("margin 0 of 32"), "\(found)")
        }
    }

    @Test func `media of many groups are shown with the smallest permitted limit of open files`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start(openFiles: Self.least)
                for number in 0..<12 {
                    let payload = ServedPayload.media(["\(origin.image)?\(number)"])
                    let answer = try await root.client.request(
                        "POST", "/v1/notifications?group=g\(number)", body: Array(payload.utf8))
                    #expect(answer.status == 200 && answer.json["outcome"] == "rich", "\(number): \(answer.json)")
                }
                let descriptors = LeakCensus.take(of: "\(daemon.pid)").descriptors.values.reduce(0, +)
                #expect(descriptors < Self.least - DescriptorBudget.ofItem)
                let open = try await root.client.metric("appgroupd_group_indexes_open")
                #expect(open.map { $0 <= 4 } == true)
                let ready = try await root.client.request("GET", "/readyz")
                #expect(ready.status == 200)
            }
        }
    }

    @Test func `a daemon without free descriptors is not ready`() async throws {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            let before = try await root.client.request("GET", "/readyz")
            #expect(before.status == 200)
            #expect(try await root.client.metric("appgroupd_resource_short") == 0)
            // Eight descriptors are left. A connection and the counting of descriptors take two of them.
            let open = LeakCensus.take(of: "\(daemon.pid)").descriptors.values.reduce(0, +)
            try await Self.limitOpenFiles(of: daemon, to: "\(open + 8)")
            let readiness = try await root.client.request("GET", "/readyz")
            #expect(readiness.status == 503)
            #expect(String(decoding: readiness.body, as: UTF8.self).contains("too few file descriptors"))
            #expect(try await root.client.metric("appgroupd_resource_short") == 1)
            let hard = try #require(SoftAndHardLimit.of(.openFiles)).hard
            try await Self.limitOpenFiles(of: daemon, to: hard.map { "\($0)" } ?? "unlimited")
            let after = try await root.client.request("GET", "/readyz")
            #expect(after.status == 200)
        }
    }

    /// Changes the soft limit of a running daemon.
    private static func limitOpenFiles(of daemon: ServedDaemon, to soft: String) async throws {
        let ending = Ending()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/prlimit")
        process.arguments = ["--pid", "\(daemon.pid)", "--nofile=\(soft):"]
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        await ending.wait()
        try #require(process.terminationStatus == 0)
    }
}
