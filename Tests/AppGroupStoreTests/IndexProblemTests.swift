import GRDB
import LinuxIO
import TestSupport
import Testing

@testable import AppGroupStore
@testable import StoreTools

/// Tests of the error texts of `cache ls`, `stats`, `show` and `verify` for indexes that cannot be read.
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

    @Test(arguments: places) func `the error about an index of another version has a text`(_ place: String) throws {
        let root = try TemporaryDirectory()
        let path = "\(root.path)/\(place)/index.sqlite"
        try FileSystem.makeDirectory("\(root.path)/\(place)")
        let index = try DatabaseQueue(path: path)
        try index.write { try $0.execute(sql: "CREATE TABLE note (text); PRAGMA user_version = 7") }
        try index.close()
        #expect(problem { try list(root.path) } == "\(path): another version of the program made it")
    }

    @Test(arguments: places) func `the error text of a damaged index has the repair command`(_ place: String) throws {
        let root = try TemporaryDirectory()
        let path = "\(root.path)/\(place)/index.sqlite"
        try FileSystem.makeDirectory("\(root.path)/\(place)")
        try FileSystem.write([UInt8](repeating: 7, count: 8_192), toFile: path)
        #expect(
            problem { try list(root.path) } == "\(path): it is damaged: appgroupd cache verify --repair makes a new one"
        )
    }

    @Test(arguments: [
        (ResultCode.SQLITE_FULL, "the disk is full: free some space"),
        (.SQLITE_IOERR_SHMSIZE, "the disk is full: free some space"),
        (.SQLITE_IOERR_READ, "the disk cannot read it: check the disk; the kernel's log has the error"),
        (
            .SQLITE_CANTOPEN,
            "this user cannot read it, or cannot write to its directory: run the command as the user of the daemon"
        ),
        (.SQLITE_BUSY, "another program has locked it: try again"),
    ]) func `the error about a failure of SQLite has a text`(_ code: ResultCode, _ words: String) {
        #expect(
            problem { try IndexProblem.naming("a.sqlite") { throw DatabaseError(resultCode: code) } }
                == "a.sqlite: \(words)")
    }
}
