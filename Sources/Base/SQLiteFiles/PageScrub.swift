package import GRDB
import GRDBSQLite
import LinuxIO

/// The removal of old bytes from the file of a database.
///
/// `secure_delete` overwrites removed rows. But SQLite also moves rows between pages, and does not overwrite the copies
/// that stay in the unused part of the old pages. So after rows are removed, each unused part with such bytes is
/// overwritten with zeros, in steps between which other transactions run.
///
/// A step empties the WAL, and then holds the lock of writers. So no page is written meanwhile, not by other processes
/// either, and each page of the file is the latest one. Readers ignore the unused parts.
package struct PageScrub: Sendable {
    package enum Step: Sendable {
        case goesOn
        case done
        /// Another connection reads an older state, or writes, so that the WAL cannot be emptied.
        case waits
    }

    /// The number of pages of a step. Reading 8 MiB takes about 5 ms.
    private static let pagesOfStep = 2_048
    /// The number of pages that are read at a time.
    private static let pagesOfRead = 64

    private var next = 1

    package init() {}

    /// Scrubs the next pages. The connection must have no open transaction.
    package mutating func step(in database: Database) throws -> Step {
        guard try database.truncateLog() else { return .waits }
        // The cached pages have the same old bytes, and would be written again with the next change.
        try database.execute(sql: "PRAGMA shrink_memory")
        var step = Step.waits
        try database.inTransaction(.immediate) {
            let file = try DatabaseFile(database)
            // Another process may have written between the two statements.
            guard FileSystem.size(of: file.path + "-wal") ?? 0 == 0 else { return .rollback }
            let end = min(next + Self.pagesOfStep, file.pageCount + 1)
            while next < end {
                let count = min(Self.pagesOfRead, end - next)
                try file.scrub(next..<next + count)
                next += count
            }
            if next > file.pageCount {
                try file.sync()
                step = .done
            } else {
                step = .goesOn
            }
            return .rollback
        }
        return step
    }
}

/// The file of an open database, through the handle of SQLite. A second descriptor of the file would release SQLite's
/// locks when it is closed (POSIX, `fcntl`).
private struct DatabaseFile {
    let path: String
    let pageSize: Int
    let pageCount: Int
    private let hasMaps: Bool
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    init(_ database: Database) throws {
        guard let connection = database.sqliteConnection, let name = sqlite3_db_filename(connection, "main") else {
            throw DatabaseError(message: "the database has no file")
        }
        path = String(cString: name)
        pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        hasMaps = try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") != 0
        var found: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &found)
        guard code == SQLITE_OK, let found, let methods = found.pointee.pMethods?.pointee, pageSize > 0 else {
            throw DatabaseError(message: "the file of the database cannot be reached")
        }
        (file, self.methods) = (found, methods)
        var size: sqlite3_int64 = 0
        try Self.check(methods.xFileSize?(found, &size))
        pageCount = Int(size) / pageSize
    }

    /// Overwrites the unused parts of some pages with zeros.
    func scrub(_ pages: Range<Int>) throws {
        let offset = (pages.lowerBound - 1) * pageSize
        var bytes = [UInt8](repeating: 0, count: pages.count * pageSize)
        let count = Int32(bytes.count)
        try Self.check(bytes.withUnsafeMutableBytes { methods.xRead?(file, $0.baseAddress, count, Int64(offset)) })
        try bytes.withUnsafeBytes { bytes in
            for number in pages where !PageLayout.isMap(number, pageSize: pageSize, hasMaps: hasMaps) {
                let start = (number - pages.lowerBound) * pageSize
                let page = UnsafeRawBufferPointer(rebasing: bytes[start..<start + pageSize])
                guard let unused = PageLayout.unused(of: page, number: number),
                    page[unused].contains(where: { $0 != 0 })
                else { continue }
                let zeros = [UInt8](repeating: 0, count: unused.count)
                try Self.check(
                    methods.xWrite?(
                        file, zeros, Int32(zeros.count), Int64(offset + start + unused.lowerBound)))
            }
        }
    }

    func sync() throws { try Self.check(methods.xSync?(file, SQLITE_SYNC_NORMAL)) }

    private static func check(_ code: Int32?) throws {
        guard let code, code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code ?? SQLITE_ERROR))
        }
    }
}
