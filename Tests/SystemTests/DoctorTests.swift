import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests that `doctor` reports the state of the machine without changing anything.
@Suite struct DoctorTests {
    /// The findings of one run, by area and name.
    private struct Visit {
        let run: ProgramRun
        let status: String?
        let findings: [String: JSONValue]

        init(_ run: ProgramRun) throws {
            self.run = run
            let report = try #require(try run.contents.first)
            status = report["status"]?.string
            var findings: [String: JSONValue] = [:]
            for finding in try #require(report["checks"]?.array) {
                let area = try #require(finding["area"]?.string)
                let name = try #require(finding["name"]?.string)
                let earlier = findings.updateValue(finding, forKey: "\(area): \(name)")
                #expect(earlier == nil, "\(area): \(name) is reported twice")
            }
            self.findings = findings
        }

        func finding(_ name: String) throws -> (status: String, found: String, remedy: String?) {
            let finding = try #require(findings[name], "there is no finding \(name)")
            return (
                try #require(finding["status"]?.string), try #require(finding["found"]?.string),
                finding["mend"]?.string
            )
        }
    }

    private static func visit(_ root: String) async throws -> Visit {
        try Visit(try await ProgramRun.appgroupd("doctor", "--root", root, "--format", "json"))
    }

    /// Creates a root that only its owner and group can read.
    private static func makeRoot() throws -> TemporaryDirectory {
        let root = try TemporaryDirectory()
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: root.path)
        return root
    }

    @Test func `doctor examines every area, and reports each problem with a correction`() async throws {
        let root = try Self.makeRoot()
        let visit = try await Self.visit(root.path)
        let areas = Set(visit.findings.values.compactMap { $0["area"]?.string })
        #expect(areas == ["libraries", "worker", "kernel", "root", "network", "limits"])
        let failed = visit.findings.values.contains { $0["status"] == "failed" }
        #expect(visit.run.status == (failed ? 1 : 0))
        #expect((visit.status == "failed") == failed)
        #expect(visit.run.errors.isEmpty)
        for (name, finding) in visit.findings {
            #expect((finding["mend"]?.string == nil) == (finding["status"] == "ok"), "\(name)")
            #expect(finding["found"]?.string?.isEmpty == false, "\(name)")
        }
    }

    @Test func `doctor accepts the built libraries and the built worker`() async throws {
        let root = try Self.makeRoot()
        let visit = try await Self.visit(root.path)
        let curl = try visit.finding("libraries: libcurl")
        #expect(curl.status == "ok")
        #expect(curl.found.contains("https"))
        #expect(try visit.finding("libraries: sqlite").found.hasPrefix("3."))
        #expect(try visit.finding("worker: ffmpeg").found.contains("libavcodec"))
        let formats = try visit.finding("worker: formats")
        #expect(formats.status == "ok")
        #expect(formats.found.contains("webp"))
        let sandbox = try visit.finding("worker: sandbox")
        #expect(sandbox.found.contains("system call filter (17 calls are allowed)"))
        #expect(sandbox.found.contains("no capabilities (all sets are empty)"))
        #expect(try visit.finding("worker: allowed calls").found.hasPrefix("17: brk, mmap ("))
    }

    @Test func `doctor leaves no file in the root and does not create a missing root`() async throws {
        let root = try Self.makeRoot()
        let visit = try await Self.visit(root.path)
        #expect(try visit.finding("root: links and moves").status == "ok")
        let left = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        #expect(left.isEmpty)

        let missing = try await Self.visit(root.path + "/a/b")
        #expect(try missing.finding("root: folder").status == "ok")
        #expect(try missing.finding("root: folder").found.contains("creates it in \(root.path)"))
        let leftAfterwards = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        #expect(leftAfterwards.isEmpty)
    }

    @Test func `a root that cannot be created ends doctor with status 1`() async throws {
        let visit = try await Self.visit("/dev/null/root")
        #expect(visit.run.status == 1)
        #expect(visit.status == "failed")
        let directory = try visit.finding("root: folder")
        #expect(directory.status == "failed")
        #expect(directory.remedy?.contains("--root") == true)
    }

    @Test func `a missing directory of the socket ends doctor with status 1`() async throws {
        let root = try Self.makeRoot()
        let yaml = try root.write("socket: \(root.path)/missing/appgroupd.sock\n", as: "appgroupd.yaml")
        let visit = try Visit(
            try await ProgramRun.appgroupd("doctor", "--root", root.path, "--format", "json", "--config", yaml))
        let finding = try visit.finding("network: socket")
        #expect(finding.status == "failed" && finding.found.hasSuffix("/missing/appgroupd.sock does not exist"))
        #expect(finding.remedy == "Create it, or name a socket elsewhere.")
        #expect(visit.run.status == 1)
        #expect(try await Self.visit(root.path).finding("network: socket").status == "ok")
    }

    @Test func `doctor warns about a root that all users can read, and its exit status does not change`() async throws {
        let root = try Self.makeRoot()
        let before = try await Self.visit(root.path)
        #expect(try before.finding("root: owner and mode").status == "ok")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: root.path)
        let after = try await Self.visit(root.path)
        let finding = try after.finding("root: owner and mode")
        #expect(finding.status == "warning")
        #expect(finding.remedy == "chmod o= \(root.path)")
        #expect(after.run.status == before.run.status)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")))
    func `doctor warns about a root on a file system in memory`() async throws {
        let finding = try await Self.visit("/dev/shm/appgroupd-none").finding("root: file system")
        #expect(finding.status == "warning")
        #expect(finding.found.hasPrefix("tmpfs"))
    }

    @Test func `doctor reports a running daemon, and does not take the lock of the daemon`() async throws {
        let root = try Self.makeRoot()
        let before = try await Self.visit(root.path)
        #expect(try before.finding("root: daemon").found == "no daemon serves this root")
        try FileManager.default.createDirectory(
            atPath: root.path + "/.appgroupd", withIntermediateDirectories: false)
        let lock = try FileLock.take(root.path + "/.appgroupd/lock")
        let during = try await Self.visit(root.path)
        let found = try during.finding("root: daemon").found
        #expect(found.contains("process \(ProcessInfo.processInfo.processIdentifier) "))
        let holder = try FileLock.holder(of: root.path + "/.appgroupd/lock")
        #expect(holder != nil)
        withExtendedLifetime(lock) {}
    }

    @Test func `doctor prints one line for each finding, and a summary at the end`() async throws {
        let root = try Self.makeRoot()
        let run = try await ProgramRun.appgroupd("doctor", "--root", root.path)
        let lines = run.output.dropLast().filter { !$0.hasPrefix("  fix: ") }
        #expect(lines.count > 20)
        for line in lines {
            #expect(["ok", "warning", "failed"].contains { line.hasPrefix("\($0): ") }, "\(line)")
        }
        let count = try await Self.visit(root.path).findings.count
        #expect(lines.count == count)
        #expect(run.output.last?.hasSuffix(" failed") == true)
        #expect(run.output.allSatisfy { $0.allSatisfy(\.isASCII) })
    }

    // MARK: Unsuitable workers

    struct UnknownKey: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The script of the worker. `nil` means that there is no worker.
        let script: String?
        let name: String
        let says: String
    }

    @Test(arguments: [
        UnknownKey(testDescription: "none", script: nil, name: "formats", says: "is missing"),
        UnknownKey(testDescription: "silent", script: "exit 0", name: "ffmpeg", says: "without a report"),
        UnknownKey(testDescription: "talks nonsense", script: "echo '{' >&3", name: "formats", says: "line 2"),
        UnknownKey(
            testDescription: "names nothing", script: "echo '{}' >&3", name: "formats", says: "lists no demuxers"),
        UnknownKey(
            testDescription: "lacks a decoder",
            script: """
                echo '{"demuxers":{"mov":true},"muxers":{"mp4":true},"decoders":{"png":true,"webp":false},\
                "encoders":{"png":true}}' >&3
                """,
            name: "formats", says: "does not have decoder webp"),
        UnknownKey(
            testDescription: "says nothing about its sandbox", script: "echo '{}' >&3", name: "sandbox",
            says: "does not report its sandbox"),
        UnknownKey(
            testDescription: "claims a sandbox that it has not",
            script: """
                echo '{"sandbox":{"allowedCalls":[],"layers":{"systemCalls":{"stands":true,"detail":""},\
                "files":{"stands":true,"detail":""},"limits":{"stands":true,"detail":""},\
                "privileges":{"stands":true,"detail":""},"capabilities":{"stands":true,"detail":""},\
                "user":{"stands":true,"detail":""}}}}' >&3; exec /bin/cat <&3
                """,
            name: "sandbox",
            says: "missing: system call filter (the worker reports it as active, but the kernel does not)"),
    ])
    func `an unsuitable worker ends doctor with status 1`(_ unknownKey: UnknownKey) async throws {
        let directory = try TemporaryDirectory()
        // The program looks for the worker in its own directory.
        let program = directory.path + "/appgroupd"
        do { try FileManager.default.linkItem(atPath: BuiltProducts.appgroupd, toPath: program) } catch {
            try FileManager.default.copyItem(atPath: BuiltProducts.appgroupd, toPath: program)
        }
        if let script = unknownKey.script {
            let worker = try directory.write("#!/bin/sh\n\(script)\n", as: "appgroupd-transcode")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker)
        }
        let root = try Self.makeRoot()
        let visit = try Visit(
            try await Self.run(program, ["doctor", "--root", root.path, "--format", "json"], in: directory))
        #expect(visit.run.status == 1)
        let finding = try visit.finding("worker: \(unknownKey.name)")
        #expect(finding.status == "failed")
        #expect(finding.found.contains(unknownKey.says), "\(finding.found)")
    }

    @Test func `the worker prints its encoders and its sandbox with --describe`() async throws {
        let directory = try TemporaryDirectory()
        let run = try await Self.run(BuiltProducts.worker, ["--describe"], in: directory)
        #expect(run.status == 0)
        let description = try #require(try run.contents.first)
        #expect(description["encoders"]["libx264"] == true)
        #expect(description["sandbox"]["layers"]["systemCalls"]["stands"] == true)
    }

    private static func run(
        _ program: String, _ arguments: [String], in directory: TemporaryDirectory
    ) async throws -> ProgramRun {
        for name in ["out", "err"] { _ = try directory.write("", as: name) }
        let process = ParentBoundCommand(program, arguments).process()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: directory.path + "/out")
        process.standardError = FileHandle(forWritingAtPath: directory.path + "/err")
        let ending = Ending()
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        await ending.wait()
        return ProgramRun(
            status: process.terminationStatus, output: try directory.lines("out"), errors: try directory.lines("err"))
    }
}
