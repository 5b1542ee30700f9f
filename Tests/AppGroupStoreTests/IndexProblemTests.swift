import GRDB
import LinuxIO
import TestSupport
import Testing

@testable import AppGroupStore

/// Indexes that cannot be read, as `cache ls`, `stats`, `show` and `verify` name them.
@Suite struct IndexProblemTests {
    private static let places = [".cache", "group.default"]

    private func problem(_ body: () throws -> Void) -> String? {
        #expect(throws: IndexProblem.self, performing: body)?.description
    }

    private func list(_ root: String) throws {
        let reader = try StoreReader(root: root)
        try reader.forEachResponse { _ in }
        try reader.forEachFile { _ in }
    }

    @Test(arguments: places) func `an index of another program is named in words`(_ place: String) throws {
        let root = try TemporaryDirectory()
        let path = "\(root.path)/\(place)/index.sqlite"
        try FileSystem.makeDirectory("\(root.path)/\(place)")
        let index = try DatabaseQueue(path: path)
        try index.write { try $0.execute(sql: "CREATE TABLE note (text); PRAGMA user_version = 7") }
        try index.close()
        #expect(problem { try list(root.path) } == "\(path): it is no index of this version of the program")
    }

    @Test(arguments: places) func `a damaged index is named, with the command that mends it`(_ place: String) throws {
        let root = try TemporaryDirectory()
        let path = "\(root.path)/\(place)/index.sqlite"
        try FileSystem.makeDirectory("\(root.path)/\(place)")
        try FileSystem.write([UInt8](repeating: 7, count: 8_192), toFile: path)
        #expect(
            problem { try list(root.path) } == "\(path): it is damaged: appgroupd cache verify --repair makes it anew")
    }

    @Test(arguments: [
        (ResultCode.SQLITE_FULL, "the disk is full: free some space"),
        (.SQLITE_IOERR_SHMSIZE, "the disk is full: free some space"),
        (.SQLITE_IOERR_READ, "the disk does not deliver it: see to the disk, of which the kernel's log tells"),
        (
            .SQLITE_CANTOPEN,
            "this user may not read it, or not write beside it: run the command as the user of the daemon"
        ),
        (.SQLITE_BUSY, "another program has it locked: try again"),
    ]) func `an error of SQLite is said in words`(_ code: ResultCode, _ words: String) {
        #expect(
            problem { try IndexProblem.naming("a.sqlite") { throw DatabaseError(resultCode: code) } }
                == "a.sqlite: \(words)")
    }
}
