import LinuxIO
import NotificationModel

/// Handles a disk that fails, and a root that was removed.
extension RequestJournal {
    enum Health {
        case good
        /// A sync failed, and the database could not be reopened yet.
        case broken(String)
        /// The root was removed or replaced.
        case lost

        /// Why nothing can be written; `nil` if a write can be tried.
        var problem: String? {
            switch self {
            case .good: nil
            case .broken(let problem): problem
            case .lost: "the root or the journal in it was removed or replaced while the daemon ran"
            }
        }
    }

    /// Handles a failed transaction: reopens the database if its descriptors must not be used again, and then tries until
    /// a transaction succeeds.
    func recover(from error: any Error) {
        tellWritable(false)
        guard JournalDatabase.needsReopening(error) else { return retryLater() }
        health = .broken(JournalFile.words(for: error))
        reopen()
    }

    /// Schedules the next try: to reopen a broken database, else a probe. There is one timer at a time, however many
    /// transactions fail meanwhile.
    private func retryLater() {
        guard !isRetryDue else { return }
        isRetryDue = true
        _ = loop.schedule(at: .now.advanced(by: pause)) { [weak self] in
            self?.assumeIsolated { journal in
                journal.isRetryDue = false
                if case .broken = journal.health { journal.reopen() } else { journal.probe() }
            }
        }
    }

    /// Opens a second connection before the first one is closed, because the last connection that closes syncs the WAL by
    /// its own descriptor.
    private func reopen() {
        guard !isClosed, isInPlace() else { return }
        do {
            let fresh = try JournalDatabase(directory: directory)
            do { note(try fresh.discard(after: lastSequence)) } catch {
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

    /// Tries a transaction until one succeeds: no request may arrive to try it while `/readyz` is 503.
    private func probe() {
        guard !isClosed, !isWritable, health.problem == nil else { return }
        do {
            try database.probe(bytes: min(unwrittenBytes, Self.largestProbe))
            tellWritable(true)
        } catch {
            guard JournalDatabase.needsReopening(error) else { return retryLater() }
            // The disk has failed again at once, so the next try waits.
            health = .broken(JournalFile.words(for: error))
            retryLater()
        }
    }

    /// More than a request needs, whose large values are files.
    private static let largestProbe = 1 << 20

    /// Checks each second whether the root still leads to this journal. No event reports it in time: `IN_DELETE_SELF` of a
    /// directory comes after the last file below it is closed (inotify(7)).
    func watchPlace() {
        guard !isClosed, isInPlace() else { return }
        _ = loop.schedule(at: .now.advanced(by: .seconds(1))) { [weak self] in
            self?.assumeIsolated { $0.watchPlace() }
        }
    }

    /// Returns whether the root still leads to this journal. The first time that it does not, the daemon is told.
    func isInPlace() -> Bool {
        if case .lost = health { return false }
        do throws(SystemError) {
            if try FileIdentity(of: JournalDatabase.path(in: directory)) == place { return true }
        } catch {
            // Another error of the disk says nothing about the path.
            guard error.isNoSuchFile || error.isNoDirectory else { return true }
        }
        health = .lost
        tellWritable(false)
        warnings.report("lost", "\(root): \(health.problem ?? ""): the daemon ends and must be started again")
        lost()
        return false
    }
}
