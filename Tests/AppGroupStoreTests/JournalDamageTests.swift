import Foundation
import GRDB
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import RequestJournal

/// Tests that damage of the journal is always reported.
@Suite(.timeLimit(.minutes(1)))
struct JournalDamageTests {
    private let bench: JournalBench
    private var directory: String { bench.root + "/.appgroupd" }
    private var path: String { directory + "/journal.sqlite" }

    init() throws { bench = try JournalBench() }

    private func accept(_ count: Int, before body: () throws -> Void = {}) async throws {
        try await bench.with { journal in
            for number in 0..<count {
                let answer = await journal.accept(try bench.entry("n-\(count)-\(number)", bodyByteCount: 3_000))
                #expect(answer == .accepted)
            }
            try body()
        }
    }

    /// Creates the files of a journal whose process was killed after it had accepted some requests.
    private func crash(after count: Int) async throws {
        let parts = ["", "-wal", "-shm"]
        var files: [[UInt8]] = []
        try await accept(count) { files = try parts.map { try FileSystem.contents(of: path + $0) } }
        for (part, bytes) in zip(parts, files) { try FileSystem.write(bytes, toFile: path + part) }
    }

    private func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in try FileSystem.names(in: directory) {
            contents[name] = try? FileSystem.contents(of: "\(directory)/\(name)")
        }
        return contents
    }

    private func openingFailure() async throws -> String {
        do throws(MediaFailure) {
            let journal = try await RequestJournal(
                root: bench.root, tables: JournalBench.tables, limits: .init(retention: .seconds(60))
            ) { _ in }
            await journal.shutdown()
            return ""
        } catch {
            return error.detail
        }
    }

    enum Damage: String, CaseIterable, Sendable {
        case garbage
        case shortGarbage
        case truncated
        case directory
        case emptyBesideLog
        case missingBesideLog

        var words: String {
            switch self {
            case .garbage, .shortGarbage: "is damaged (file is not a database)"
            case .truncated: "is damaged (database disk image is malformed)"
            case .directory: "is not a regular file"
            case .emptyBesideLog: "is empty beside"
            case .missingBesideLog: "is missing beside"
            }
        }
    }

    private func make(_ damage: Damage) async throws {
        switch damage {
        case .emptyBesideLog, .missingBesideLog: try await crash(after: 20)
        default: try await accept(40)
        }
        let size = try #require(FileSystem.size(of: path))
        switch damage {
        case .garbage: try FileSystem.write((0..<size).map { UInt8($0 * 7 & 0xFF) }, toFile: path)
        case .shortGarbage: try FileSystem.write(Array("xy".utf8), toFile: path)
        case .truncated:
            try FileSystem.write(Array(try FileSystem.contents(of: path).prefix(size / 2)), toFile: path)
        case .directory:
            try FileSystem.remove(path)
            try FileSystem.makeDirectory(path)
        case .emptyBesideLog: try FileSystem.write([], toFile: path)
        case .missingBesideLog: try FileSystem.remove(path)
        }
    }

    @Test(arguments: Damage.allCases)
    func `the error about an unusable journal names its path and its repair, and the check changes no file`(
        _ damage: Damage
    ) async throws {
        try await make(damage)
        let before = try contents()
        let found = try #require(JournalFile(root: bench.root).damage())
        #expect(found.found.contains(path) && found.found.contains(damage.words), "\(found)")
        #expect(!found.remedy.isEmpty)
        #expect(try contents() == before)
        let failure = try await openingFailure()
        #expect(failure == "the journal cannot be opened: \(found)")
        #expect(try contents()["journal.sqlite"] == before["journal.sqlite"])
    }

    @Test func `a check without a daemon finds damaged pages in the middle of the file`() async throws {
        try await accept(60)
        var bytes = try FileSystem.contents(of: path)
        for offset in bytes.count / 2..<bytes.count / 2 + 20_000 { bytes[offset] = 0x5A }
        try FileSystem.write(bytes, toFile: path)
        let before = try contents()
        let found = try #require(JournalFile(root: bench.root).damage())
        #expect(found.found.contains("\(path) is damaged"))
        #expect(try contents() == before)
    }

    @Test func `an intact journal has no damage, and the check creates no files`() async throws {
        #expect(JournalFile(root: bench.root).damage() == nil)
        try await accept(3)
        let ended = try contents()
        #expect(JournalFile(root: bench.root).damage() == nil)
        #expect(try contents() == ended)
        try await crash(after: 4)
        let killed = try contents()
        #expect(JournalFile(root: bench.root).damage() == nil)
        #expect(try contents() == killed)
        try await bench.with { _ in }
        #expect(bench.warnings.isEmpty)
    }

    @Test(arguments: [100, -5_000])
    func `a damaged log is reported with path, size and frames`(_ place: Int) async throws {
        try await crash(after: 20)
        var log = try FileSystem.contents(of: path + "-wal")
        log[place > 0 ? place : log.count + place] ^= 1
        try FileSystem.write(log, toFile: path + "-wal")
        let sound = try WriteAheadLog(try FileSystem.openForReading(path + "-wal"))
        let words =
            "\(path)-wal is damaged (\(log.count) bytes): \(sound.committedFrames) of its \(sound.frames) frames can be read"
        #expect(JournalFile(root: bench.root).damage()?.found == words)
        try await bench.with { journal in
            let entries = try await journal.recover()
            #expect(entries.count < 20)
            let entry = try bench.entry("new")
            #expect(await journal.accept(entry) == .accepted)
        }
        #expect(bench.warnings.count == 1)
        #expect(bench.warnings.first?.hasPrefix(words) == true, "\(bench.warnings)")
    }

    @Test func `a missing log is reported`() async throws {
        try await crash(after: 5)
        try FileSystem.remove(path + "-wal")
        try await bench.with { _ in }
        #expect(bench.warnings.first?.contains("-wal is damaged (0 bytes): none of its ") == true)
    }

    @Test(arguments: [0, 1]) func `an empty journal is reported`(_ byteCount: Int) async throws {
        try FileSystem.makeDirectory(directory)
        try FileSystem.write([UInt8](repeating: 0x5A, count: byteCount), toFile: path)
        let entry = try bench.entry("a")
        try await bench.with { journal in #expect(await journal.accept(entry) == .accepted) }
        #expect(bench.warnings.first?.hasPrefix("\(path) was empty") == true)
    }

    /// SQLite reports an unreadable file and a damaged file with the same error, "malformed".
    @Test func `a journal file that the disk fails to read is not reported as damaged`() {
        // Reading this file from its beginning fails with EIO.
        let error = DatabaseError(resultCode: .SQLITE_CORRUPT, message: "database disk image is malformed")
        let disk = JournalFile(path: "/proc/self/mem").problem(for: error)
        #expect(disk.found == "/proc/self/mem: Input/output error")
        #expect(disk.remedy.contains("disk"))
        let file = JournalFile(path: "/proc/self/stat").problem(for: error)
        #expect(file.found == "/proc/self/stat is damaged (database disk image is malformed)")
        #expect(!JournalFile.words(for: error).contains("malformed"))
    }
}
