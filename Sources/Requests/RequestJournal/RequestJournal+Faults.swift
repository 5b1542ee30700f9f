import Base
import LinuxIO
import NotificationModel
import SQLiteFiles

/// The recovery from a failing disk, and the detection of a removed root.
extension RequestJournal {
    enum Health {
        case good
        /// A sync failed, and the database could not be reopened yet.
        case broken(String)
        /// The root was removed or replaced.
        case lost

        /// The reason why writes are refused; `nil` if a write can be tried.
        var problem: String? {
            switch self {
            case .good: nil
            case .broken(let problem): problem
            case .lost: "the root or the journal in it was removed or replaced while the daemon ran"
            }
        }
    }

    /// Handles a failed transaction. The method reopens the database if its descriptors must not be used again, and
    /// then tries until a transaction succeeds.
    func recover(from error: any Error) {
        tellWritable(false)
        guard JournalDatabase.needsReopening(error) else { return retryLater() }
        health = .broken(JournalFile.words(for: error))
        reopen()
    }

    /// Schedules the next try: it reopens a broken database, or probes an intact database. At most one timer runs, even
    /// if many transactions fail in the meantime.
    private func retryLater() {
        guard !isRetryDue else { return }
        isRetryDue = true
        schedule(after: pause) { journal in
            journal.isRetryDue = false
            if case .broken = journal.health { journal.reopen() } else { journal.probe() }
        }
    }

    /// Opens a second connection first, because the last one that closes syncs the WAL over its own descriptor.
    private func reopen() {
        guard !isClosed, isInPlace() else { return }
        do {
            let fresh = try JournalDatabase(directory: directory, tables.all)
            do {
                note(try fresh.discard(after: lastSequence))
                // A change that was refused may have become durable after all, so every look-up is made again.
                try fresh.openTables()
            } catch {
                fresh.close()
                throw error
            }
            database.close()
            database = fresh
            health = .good
            warnings.report("reopened", "the journal was reopened after a disk error")
            probe()
        } catch {
            warnings.report("reopen", "the journal cannot be reopened: \(file.problem(for: error))")
            retryLater()
        }
    }

    /// Tries a transaction until one succeeds. Clients may send no requests while `/readyz` is 503, and then no other
    /// transaction shows that the disk works again.
    private func probe() {
        guard !isClosed, !isWritable, health.problem == nil else { return }
        do {
            try database.probe(bytes: min(unwrittenBytes, Self.largestProbe))
            tellWritable(true)
        } catch {
            // If the disk failed again immediately, the next try reopens the database.
            if JournalDatabase.needsReopening(error) { health = .broken(JournalFile.words(for: error)) }
            retryLater()
        }
    }

    /// The maximum size of a probe, in bytes. A request needs less, because its large values are files.
    private static let largestProbe = 1 << 20

    /// Checks every second whether the root still contains this journal. No inotify event reports its removal in time:
    /// `IN_DELETE_SELF` of a directory comes after the last file below it is closed (inotify(7)).
    func watchPlace() {
        guard !isClosed, isInPlace() else { return }
        schedule(after: .seconds(1)) { $0.watchPlace() }
    }

    /// Returns whether the root still contains this journal. The first failure calls `lost`, which ends the daemon.
    func isInPlace() -> Bool {
        if case .lost = health { return false }
        do throws(SystemError) {
            if try FileIdentity(of: JournalDatabase.path(in: directory)) == place { return true }
        } catch {
            // Another error of the disk does not show whether the path still exists.
            guard error.isNoSuchFile || error.isNoDirectory else { return true }
        }
        health = .lost
        tellWritable(false)
        warnings.report("lost", "\(root): \(health.problem ?? ""): the daemon ends and must be started again")
        lost()
        return false
    }
}

/// The handling of a full disk: the HTTP cache evicts responses, and the failed write is tried again.
extension RequestJournal {
    /// The number of bytes to free in addition to the written bytes, for pages of the WAL and blocks of directories.
    static let margin = DiskSpace.step

    /// Asks for disk space, and writes the changes again when space was freed or cannot be freed.
    func ask(for list: Pending) {
        let byteCount = list.byteCount + Self.margin
        asking = Task {
            let isGiven = await freeSpace(byteCount)
            asking = nil
            pending.withLock { pending in
                var list = list
                list.add(pending)
                list.isScheduled = pending.isScheduled
                pending = list
            }
            write(mayAsk: isGiven)
        }
    }
}
