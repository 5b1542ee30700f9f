import Base
import Foundation
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of `warm` and `cache` on disks that fail. The faults are real: a file system in memory that is full or
/// read-only, and system calls that strace makes fail.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: SmallDisk.canBeMade))
struct StoreFaultTests {
    private let root: TemporaryDirectory
    private let outside: TemporaryDirectory

    init() throws {
        (root, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
    }

    private func urls(_ count: Int, at origin: MisbehavingOrigin, fault: String = "") -> [String] {
        (0..<count).map { "\(origin.baseURL)/header/X-N:\($0)/\(fault)grey.jpg" }
    }

    private func warm(
        _ source: String, journal: String? = nil, through wrapper: [String] = []
    ) async throws -> ProgramRun {
        try await ProgramRun.appgroupd(
            ["warm", "--root", root.path, "--allow-address", "127.0.0.1", "--resume"]
                + [journal ?? "\(outside.path)/a.journal", source], through: wrapper)
    }

    private func source(_ urls: [String]) throws -> String {
        try outside.write(urls.joined(separator: "\n"), as: "urls.txt")
    }

    /// Returns a wrapper that makes system calls of a program fail.
    private func failing(_ calls: String, _ options: String...) -> [String] {
        ["/usr/bin/strace", "--follow-forks", "--quiet=all", "--output=/dev/null", "--inject=\(calls)"] + options
    }

    private var mediaFiles: [String] {
        get throws { try root.files().filter { $0.contains("/media/") } }
    }

    @Test func `items fail on a full disk, and a second run warms the items when there is space`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let disk = try SmallDisk(at: root.path)
            defer { disk.remove() }
            let source = try source(urls(5, at: origin))
            try disk.fill()
            let failed = try await warm(source)
            #expect(failed.status == 1)
            #expect(failed.output.contains { $0.hasPrefix("  failed   5: storage-failed 5") }, "\(failed.output)")
            #expect(failed.errors.contains { $0.contains("No space left on device") }, "\(failed.errors)")
            #expect(try mediaFiles == [])
            try disk.free()
            let again = try await warm(source)
            #expect(again.status == 0, "\(again.errors)")
            #expect(again.output.first?.contains("5 of 5 items") == true, "\(again.output)")
        }
    }

    @Test func `an unwritable journal ends the run, and completed items are not requested again`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let place = try TemporaryDirectory()
            let disk = try SmallDisk(at: place.path)
            defer { disk.remove() }
            let journal = "\(place.path)/a.journal"
            let urls = urls(60, at: origin, fault: "delay/50ms/")
            let source = try source(urls)
            let streams = try TemporaryDirectory()
            let (process, ending) = try ProgramRun.start(
                [
                    "warm", "--root", root.path, "--allow-address", "127.0.0.1", "--concurrency", "2", "--resume",
                    journal,
                    source,
                ], in: streams)
            await origin.waitUntil { $0.responsesFinished >= 4 }
            try disk.fill()
            await ending.wait()
            #expect(process.terminationStatus == 1)
            let errors = try streams.lines("err")
            #expect(errors.last?.contains("run the command again to continue it") == true, "\(errors)")
            try disk.free()
            let done = try place.lines("a.journal").compactMap { try? JSONParser.value(of: $0) }.compactMap {
                $0["result"] == "warm" ? $0["name"]?.string : nil
            }
            #expect((1..<60).contains(done.count))
            let asked = origin.counts
            let again = try await warm(source, journal: journal)
            #expect(again.status == 0, "\(again.errors)")
            #expect(again.output.first?.contains("60 of 60 items") == true, "\(again.output)")
            for url in done {
                let path = String(url.dropFirst(origin.baseURL.count))
                #expect(origin.counts.hits(path) == asked.hits(path))
            }
        }
    }

    @Test func `a media file whose sync fails is not in the container, and its item fails`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let source = try source(urls(3, at: origin))
            let failed = try await warm(source, through: failing("fsync,fdatasync:error=EIO"))
            #expect(failed.status == 1)
            #expect(failed.errors.count { $0.contains(": storage-failed: ") } == 3, "\(failed.errors)")
            #expect(failed.errors.contains { $0.contains("Input/output error") }, "\(failed.errors)")
            #expect(try mediaFiles == [])
            let again = try await warm(source)
            #expect(again.status == 0, "\(again.errors)")
            let verified = try await ProgramRun.appgroupd("cache", "verify", "--root", root.path)
            #expect(verified.status == 0, "\(verified.output)")
        }
    }

    @Test(arguments: [["ls"], ["stats"], ["show", "3f0c9a12"]])
    func `a read error of an index is reported with the path of the index`(_ command: [String]) async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            #expect(try await warm(source(urls(1, at: origin))).status == 0)
            let index = "\(root.path)/group.default/index.sqlite"
            let run = try await ProgramRun.appgroupd(
                ["cache"] + command + ["--root", root.path],
                through: failing("pread64:error=EIO", "--trace-path=\(index)"))
            #expect(run.status == 1)
            #expect(run.errors.count == 1)
            #expect(
                run.errors.first?.hasPrefix("appgroupd: \(index): the disk cannot read it") == true,
                "\(run.errors)")
        }
    }

    @Test func `an import on a full disk stores nothing, and succeeds when there is space`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let first = try TemporaryDirectory()
            let made = try await ProgramRun.appgroupd(
                ["warm", "--root", first.path, "--allow-address", "127.0.0.1", "-"],
                input: "\(origin.baseURL)/photo-small.jpg")
            #expect(made.status == 0, "\(made.errors)")
            let streams = try TemporaryDirectory()
            let export = try ProgramRun.start(["cache", "export", "--root", first.path], in: streams)
            await export.ending.wait()
            let disk = try SmallDisk(at: root.path)
            defer { disk.remove() }
            try disk.fill()
            let refused = try await ProgramRun.appgroupd("cache", "import", "--root", root.path, "\(streams.path)/out")
            #expect(refused.status == 1)
            #expect(refused.errors.first?.contains("No space left on device") == true, "\(refused.errors)")
            #expect(try root.files().filter { !$0.hasPrefix(".import") } == ["ballast"])
            try disk.free()
            let taken = try await ProgramRun.appgroupd("cache", "import", "--root", root.path, "\(streams.path)/out")
            #expect(taken.status == 0, "\(taken.errors)")
        }
    }

    @Test func `an export that cannot be written ends with status 1`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            #expect(try await warm(source(urls(1, at: origin))).status == 0)
            let run = try await ProgramRun.appgroupd(
                ["cache", "export", "--root", root.path],
                through: ["/bin/sh", "-c", #"exec "$@" > /dev/full"#, "sh"])
            #expect(run.status == 1)
            #expect(run.errors.first?.contains("No space left on device") == true, "\(run.errors)")
        }
    }

    @Test func `a read-only root is refused with a message and is not changed`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let disk = try SmallDisk(at: root.path)
            defer { disk.remove() }
            let source = try source(urls(1, at: origin))
            #expect(try await warm(source).status == 0)
            let before = try root.files()
            try disk.makeReadOnly()
            let asked = origin.counts.requests
            let refused = try await warm(source, journal: "\(outside.path)/b.journal")
            #expect(refused.status == 2)
            #expect(refused.errors.first?.contains("Read-only file system") == true, "\(refused.errors)")
            for command in [["ls"], ["stats"], ["pin", "--keep", "1d", "https://a.example/1"], ["gc"], ["verify"]] {
                let run = try await ProgramRun.appgroupd(["cache"] + command + ["--root", root.path])
                #expect(!run.errors.joined().contains("SQLite error"), "\(command): \(run.errors)")
            }
            #expect(origin.counts.requests == asked)
            #expect(try root.files() == before)
        }
    }
}
