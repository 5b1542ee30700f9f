import Base
import GRDB
import LinuxIO
import SQLiteFiles

/// The file `ROOT/.appgroupd/journal.sqlite`. The type finds errors of the file, and explains how to repair them.
///
/// SQLite silently skips a damaged write-ahead log, and silently deletes a log beside an empty database. So the daemon
/// calls `check` before it opens the journal.
package struct JournalFile {
    let path: String

    private var logPath: String { path + "-wal" }

    /// An error of the journal as a sentence: the fault, the path, and the repair.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let found: String
        package let remedy: String

        package var description: String { "\(found): \(remedy)" }
    }

    package init(root: String) { self.init(path: JournalDatabase.path(in: "\(root)/\(RequestJournal.directoryName)")) }

    init(path: String) { self.path = path }

    /// Checks the files before SQLite opens them. `warn` receives a sentence about lost requests, if SQLite can open
    /// the journal without them. Throws `Problem` if SQLite must not open the journal.
    func check(warn: (String) -> Void) throws(Problem) {
        let status = try? FileSystem.look(through: path)
        guard status?.kind ?? .regular == .regular else {
            throw Problem(
                found: "\(path) is not a regular file", remedy: "move it away; the daemon creates the journal itself")
        }
        // SQLite also treats a file of one byte as empty (`unixFileSize`).
        if status?.byteCount ?? 0 <= 1 {
            guard !hasLog else {
                throw Problem(
                    found: "\(path) is \(status == nil ? "missing" : "empty") beside \(logPath)", remedy: restore)
            }
            if status != nil {
                warn("\(path) was empty: the daemon starts a new journal; the requests of an earlier one are lost")
            }
        } else if let damage = logDamage() {
            warn("\(damage); the other requests are lost: hand in the last accepted requests again")
        }
    }

    /// Returns a sentence for an error of a request. The method does not read the files.
    package static func words(for error: any Error) -> String {
        // Only a check of the files could distinguish the two cases.
        DatabaseDamage.isDamage(error) ? "the journal is damaged, or the disk cannot read it" : "\(error)"
    }

    /// Returns a sentence for an error of SQLite. The method reads files that SQLite calls damaged again, because
    /// SQLite reports a failing disk in the same way.
    func problem(for error: any Error) -> Problem {
        if let problem = error as? Problem { return problem }
        let disk = "check the disk; the kernel's log has the error"
        guard let error = error as? DatabaseError else {
            let isFull = (error as? SystemError)?.isDiskFull ?? false
            return Problem(found: "\(path): \(error)", remedy: isFull ? "free some space" : "run appgroupd doctor")
        }
        if DatabaseDamage.isDamage(error) {
            if let failure = DatabaseDamage.readFailure(of: path) {
                return Problem(found: "\(path): \(failure.reason)", remedy: disk)
            }
            return Problem(found: "\(path) is damaged (\(error.message ?? "it is not a database"))", remedy: restore)
        }
        let remedy =
            switch error.resultCode {
            case _ where DiskSpace.isFull(error): "free some space"
            case .SQLITE_IOERR: disk
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY:
                "permit this user to read and write the file and its directory"
            case .SQLITE_BUSY: "another program has it open: end that program"
            default: "run appgroupd doctor"
            }
        return Problem(found: "\(path): \(error.message ?? "error \(error.resultCode.rawValue)")", remedy: remedy)
    }

    /// Looks for damage of a journal that no daemon has open; returns `nil` if it is intact or does not exist.
    package func damage() -> Problem? {
        do {
            try check { _ in }
            if let damage = logDamage() { return Problem(found: damage, remedy: restore) }
            guard FileSystem.size(of: path) ?? 0 > 1 else { return nil }
            guard try FileReader(path).next().starts(with: "SQLite format 3\0".utf8) else {
                throw DatabaseError(resultCode: .SQLITE_NOTADB)
            }
            // After a crash the database may be consistent only together with its log, and only a daemon may open the
            // log.
            if try !hasLog && SQLiteLibrary.takesURIs() { try checkPages() }
            return nil
        } catch {
            return problem(for: error)
        }
    }

    /// Reads all pages of a database that no process has open. SQLite creates no files beside an immutable database.
    private func checkPages() throws {
        var configuration = Configuration()
        configuration.readonly = true
        // SQLite takes an escaped path in a URI (sqlite.org/uri.html).
        let escaped = PercentEncoding.text(of: path, keeping: "/")
        let database = try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
        try database.read(DatabaseDamage.check)
    }

    private var hasLog: Bool { FileSystem.size(of: logPath) ?? 0 > 0 }

    private var restore: String {
        "restore it from a backup, or move it away together with its -wal and -shm. The daemon then starts a new journal "
            + "without the requests and the results of this one"
    }

    /// Looks for frames of the log that SQLite cannot read. Returns the log's path, its size, and the number of
    /// readable frames; `nil` if no committed frame is lost.
    private func logDamage() -> String? {
        let index = (try? FileSystem.openForReading(path + "-shm"))
            .flatMap { try? FileSystem.bytes(of: $0, at: 0, count: 100) }.flatMap(WriteAheadLog.Index.init)
        var log = WriteAheadLog()
        do throws(SystemError) { log = try WriteAheadLog(try FileSystem.openForReading(logPath)) } catch {
            guard error.isNoSuchFile else { return "\(logPath) cannot be read: \(error.reason)" }
        }
        return log.loss(accordingTo: index).map { "\(logPath) is damaged (\(log.byteCount) bytes): \($0)" }
    }
}

extension WriteAheadLog {
    /// Compares the log with its index, and returns a sentence about unreadable committed frames; `nil` otherwise.
    func loss(accordingTo index: Index?) -> String? {
        guard byteCount > 0 else {
            guard let index, index.committedFrames > index.checkpointedFrames else { return nil }
            return "none of its \(index.committedFrames) frames can be read"
        }
        guard let salts else { return "its header is not valid, and none of its frames can be read" }
        let noted = index?.salts == salts ? index?.committedFrames : nil
        // Frames after the last commit may come from an unfinished transaction, so they do not count as a loss.
        guard lostCommits > 0 && noted != committedFrames || noted ?? 0 > committedFrames else { return nil }
        return "\(committedFrames) of its \(max(frames, noted ?? 0)) frames can be read"
    }
}
