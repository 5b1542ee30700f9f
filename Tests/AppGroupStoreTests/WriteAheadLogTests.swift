import Foundation
import GRDB
import LinuxIO
import TestSupport
import Testing

@testable import AppGroupStore
@testable import RequestJournal

/// Tests that the reader of a write-ahead log agrees with SQLite.
@Suite(.timeLimit(.minutes(1)))
struct WriteAheadLogTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/test.sqlite" }
    private var log: WriteAheadLog {
        get throws { try WriteAheadLog(try FileSystem.openForReading(path + "-wal")) }
    }
    private var index: WriteAheadLog.Index? {
        get throws {
            WriteAheadLog.Index(
                try FileSystem.bytes(of: try FileSystem.openForReading(path + "-shm"), at: 0, count: 100))
        }
    }

    init() throws { directory = try TemporaryDirectory() }

    /// Leaves the files of a killed process.
    private func crash(after body: (DatabaseQueue) throws -> Void) throws {
        var configuration = Configuration()
        configuration.journalMode = .wal
        let draft = directory.path + "/open.sqlite"
        for part in ["", "-wal", "-shm"] where FileSystem.size(of: path + part) != nil {
            try FileManager.default.moveItem(atPath: path + part, toPath: draft + part)
        }
        let database = try DatabaseQueue(path: draft, configuration: configuration)
        try body(database)
        for part in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: draft + part, toPath: path + part)
        }
        try database.close()
        try? FileManager.default.removeItem(atPath: draft)
    }

    /// Writes a number of transactions, of one or several frames each.
    private func write(_ count: Int, bytes: Int = 10, into database: DatabaseQueue) throws {
        try database.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS part (bytes BLOB)") }
        for number in 0..<count {
            try database.write { database in
                try database.execute(
                    sql: "INSERT INTO part VALUES (?)", arguments: [Data(repeating: UInt8(number & 0xFF), count: bytes)]
                )
            }
        }
    }

    /// Returns the number of frames that SQLite uses when it opens the database after a crash.
    private func framesThatSQLiteTakes() throws -> Int {
        let copy = directory.path + "/copy-\(UUID().uuidString).sqlite"
        for part in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + part, toPath: copy + part) }
        return try DatabaseQueue(path: copy).writeWithoutTransaction { database in
            try #require(try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)"))["log"]
        }
    }

    private func damageLog(_ change: (inout [UInt8]) -> Void) throws {
        var bytes = try FileSystem.contents(of: path + "-wal")
        change(&bytes)
        try FileSystem.write(bytes, toFile: path + "-wal")
    }

    @Test func `an intact log has all its frames, and the index of the log agrees with the frames`() throws {
        try crash { try write(30, into: $0) }
        let log = try log
        #expect(log.byteCount == FileSystem.size(of: path + "-wal"))
        #expect(log.frames > 30 && log.committedFrames == log.frames && log.lostCommits == 0)
        #expect(log.byteCount == 32 + log.frames * (24 + 4_096))
        #expect(try framesThatSQLiteTakes() == log.frames)
        #expect(try index == WriteAheadLog.Index(salts: try #require(log.salts), committed: log.frames))
        #expect(try log.loss(accordingTo: index) == nil && log.loss(accordingTo: nil) == nil)
    }

    /// The arguments put the damage into the page number, the commit mark, the salts, the checksum or the page of a
    /// frame.
    @Test(arguments: [0, 5, 9, 17, 24, 2_000, 4_119], [0, 7, 20])
    func `the reader of a log stops before a damaged frame`(_ offset: Int, _ frame: Int) throws {
        try crash { try write(25, into: $0) }
        let before = try log.frames
        try damageLog { $0[32 + frame * 4_120 + offset] ^= 0x11 }
        let log = try log
        #expect(try framesThatSQLiteTakes() == log.committedFrames)
        #expect(log.committedFrames <= frame && log.lostCommits > 0)
        #expect(log.loss(accordingTo: nil) == "\(log.committedFrames) of its \(log.frames) frames can be read")
        #expect(try log.loss(accordingTo: index) == "\(log.committedFrames) of its \(before) frames can be read")
    }

    /// The index shows the number of frames that a truncated file has lost.
    @Test(arguments: [0, 31, 32, 33, 60, 4_151, 4_152, 50_000])
    func `the reader reports the missing frames of a truncated log`(_ byteCount: Int) throws {
        try crash { try write(25, into: $0) }
        let before = try log.frames
        try damageLog { $0.removeLast($0.count - byteCount) }
        let log = try log
        #expect(try framesThatSQLiteTakes() == max(0, log.committedFrames))
        let loss = try log.loss(accordingTo: index)
        #expect(loss?.contains(byteCount == 31 ? "header" : "frames can be read") == true)
        if log.salts != nil { #expect(loss == "\(log.committedFrames) of its \(before) frames can be read") }
    }

    @Test(arguments: [0, 3, 8, 17, 25]) func `a log with a damaged header has no frames`(_ offset: Int) throws {
        try crash { try write(5, into: $0) }
        try damageLog { $0[offset] ^= 0x40 }
        let log = try log
        #expect(log.salts == nil && log.committedFrames == 0)
        #expect(try framesThatSQLiteTakes() == 0)
        #expect(try log.loss(accordingTo: index)?.contains("header") == true)
    }

    @Test func `frames of an earlier generation are not damage`() throws {
        try crash { database in
            try write(40, into: database)
            _ = try database.writeWithoutTransaction { try $0.checkpoint(.restart) }
            try write(3, into: database)
        }
        let log = try log
        #expect(log.byteCount > 32 + 40 * 4_120 && log.frames < 10 && log.committedFrames == log.frames)
        #expect(try framesThatSQLiteTakes() == log.frames)
        #expect(try log.loss(accordingTo: index) == nil && log.loss(accordingTo: nil) == nil)
    }

    @Test
    func `frames of an unfinished transaction are not damage, even if a later transaction overwrites some of them`()
        throws
    {
        try crash { database in
            try write(5, into: database)
            try write(1, bytes: 100_000, into: database)
        }
        // The process was killed in the middle of the transaction, so SQLite noted no commit.
        let (before, frames) = (try index?.committedFrames, try log.frames)
        try damageLog { $0.removeLast(10 * 4_120) }
        try FileSystem.remove(path + "-shm")
        let cut = try log
        #expect(cut.frames == frames - 10 && cut.committedFrames < cut.frames - 5 && cut.lostCommits == 0)
        #expect(try framesThatSQLiteTakes() == cut.committedFrames)
        #expect(cut.loss(accordingTo: nil) == nil)
        #expect(
            cut.loss(accordingTo: WriteAheadLog.Index(salts: try #require(cut.salts), committed: before ?? 0)) != nil)

        try crash { try write(2, into: $0) }
        let later = try log
        #expect(later.frames == cut.frames && later.committedFrames < later.frames)
        #expect(try framesThatSQLiteTakes() == later.committedFrames)
        #expect(try later.loss(accordingTo: index) == nil && later.loss(accordingTo: nil) == nil)
    }

    @Test func `an invalid index of a log is ignored`() throws {
        try crash { try write(3, into: $0) }
        let bytes = Array(try FileSystem.contents(of: path + "-shm").prefix(100))
        #expect(WriteAheadLog.Index(bytes) != nil)
        for offset in 0..<48 {
            var damaged = bytes
            damaged[offset] ^= 0x10
            #expect(WriteAheadLog.Index(damaged) == nil, "\(offset)")
            damaged[offset + 48] ^= 0x10
            #expect(WriteAheadLog.Index(damaged) == nil, "\(offset)")
        }
        #expect(WriteAheadLog.Index([]) == nil)
        #expect(WriteAheadLog.Index([UInt8](repeating: 0, count: 100)) == nil)
    }
}

extension WriteAheadLog.Index {
    fileprivate init(salts: [UInt8], committed: Int) {
        self.init(salts: salts, committedFrames: committed, checkpointedFrames: 0)
    }
}
