import LinuxIO
import NotificationModel

/// A disk that fails, and a root that is gone.
extension RequestJournal {
    enum Health {
        case good
        /// A sync failed, and the database is not open anew yet.
        case broken(String)
        /// The root was removed or replaced.
        case lost

        /// Why nothing can be written; `nil` where it can be tried.
        var problem: String? {
            switch self {
            case .good: nil
            case .broken(let problem): problem
            case .lost: "the root or the journal in it was removed or replaced while the daemon ran"
            }
        }
    }

    /// After a failed transaction: opens the database anew if its descriptors must not be used again, and finds out
    /// when it can be written.
    func recover(from error: any Error) {
        tellWritable(false)
        guard JournalDatabase.needsReopening(error) else { return later { $0.probe() } }
        health = .broken(JournalFile.words(for: error))
        reopen()
    }

    /// The old connection is closed after the new one is open: the last one that closes would sync by its own descriptor.
    private func reopen() {
        guard !isClosed, isInPlace() else { return }
        do {
            let fresh = try JournalDatabase(folder: folder)
            do { note(try fresh.discard(after: lastSequence)) } catch {
                fresh.close()
                throw error
            }
            database.close()
            database = fresh
            health = .good
            complaints.tell("reopened", "the journal was opened anew after an error of the disk")
            probe()
        } catch {
            complaints.tell("reopen", "the journal cannot be opened anew: \(file.problem(for: error))")
            later { $0.reopen() }
        }
    }

    /// Tries whether a transaction goes through, until one does: nobody else may try while the daemon says that it is
    /// not ready.
    private func probe() {
        guard !isClosed, !isWritable, health.problem == nil else { return }
        do {
            try database.probe()
            tellWritable(true)
        } catch {
            recover(from: error)
        }
    }

    private func later(_ body: @escaping @Sendable (isolated RequestJournal) -> Void) {
        _ = loop.schedule(at: .now.advanced(by: pause)) { [weak self] in self?.assumeIsolated { body($0) } }
    }

    /// Looks each second whether the root still leads to this journal. No event tells of it: the kernel reports that a
    /// directory was deleted when nobody has a file of it open any more (inotify(7), `IN_DELETE_SELF`).
    func watchPlace() {
        guard !isClosed, isInPlace() else { return }
        _ = loop.schedule(at: .now.advanced(by: .seconds(1))) { [weak self] in
            self?.assumeIsolated { $0.watchPlace() }
        }
    }

    /// Whether the root still leads to this journal. If it does not, says so once.
    func isInPlace() -> Bool {
        if case .lost = health { return false }
        guard (try? FileIdentity(of: JournalDatabase.path(in: folder))) != place else { return true }
        health = .lost
        tellWritable(false)
        complaints.tell("lost", "\(root): \(health.problem ?? ""): the daemon ends, start it anew")
        lost()
        return false
    }
}
