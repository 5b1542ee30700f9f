import Base
import FoundationEssentials
import GRDB
import LinuxIO
import NotificationModel
import SQLiteFiles

/// The deletion of results by age and by quota, in steps between which the journal commits other changes.
extension RequestJournal {
    /// The maximum number of rows that are deleted in one transaction.
    private static let step = 500
    /// The maximum number of free pages that are released in one transaction.
    private static let pages = 1_024
    /// The time without a transaction after which an old journal is rebuilt.
    private static let idle: Duration = .seconds(50)

    func tidyEachMinute() {
        guard !isClosed else { return }
        finalizer.forget(publishedBefore: Date().addingTimeInterval(-limits.retention.seconds))
        tidy()
        schedule(after: .seconds(60)) { $0.tidyEachMinute() }
    }

    /// Runs one step, and schedules the next one if more results can be deleted.
    private func tidy() {
        guard !isClosed, health.problem == nil else { return }
        do {
            let now = Date()
            var effects = try database.forget(
                emittedBefore: now.addingTimeInterval(-limits.retention.seconds),
                unkeyedBefore: now.addingTimeInterval(-limits.unkeyedRetention.seconds), atMost: Self.step)
            var goesOn = effects.deletedRows >= Self.step
            note(effects)
            // The count is an estimate after results were committed again, so the exact sum is read before a deletion.
            if resultBytes > limits.quota { resultBytes = try database.resultBytes() }
            if resultBytes > limits.quota {
                effects = try database.forgetOldest(bytes: resultBytes - limits.quota, atMost: Self.step)
                note(effects)
                goesOn = goesOn || (resultBytes > limits.quota && effects.deletedRows > 0)
            }
            for table in tables.all where try removeOld(from: table, at: now) { goesOn = true }
            try forgetTemplates()
            if !goesOn { goesOn = try shrink() }
            guard goesOn else { return }
            // A timer of zero seconds lets the changes that have arrived run first.
            schedule(after: .zero) { $0.tidy() }
        } catch {
            warnings.report("forget", "old results cannot be removed: \(file.problem(for: error))")
            recover(from: error)
        }
    }

    /// Removes old rows of a feature in one transaction, and returns whether more may be removed.
    func removeOld(from table: any JournalTable, at now: Date) throws -> Bool {
        let (hasMore, effects) = try database.transaction(at: now) { transaction in
            try table.removeOld(atMost: Self.step, in: &transaction)
        }
        note(effects)
        return hasMore
    }

    /// Releases free pages, or rebuilds an idle old journal, and returns whether more pages can be released.
    private func shrink() throws -> Bool {
        if try database.shrinksInSteps() { return try database.shrink(by: Self.pages) }
        guard lastWrite.duration(to: .now) > Self.idle else { return false }
        interruptRebuilding.withLock { $0 = { [database = database.database] in database.interrupt() } }
        defer { interruptRebuilding.withLock { $0 = nil } }
        // If a request arrives, or the disk has no space for a second copy, the next idle minute tries again.
        do { try database.rebuild() } catch let error as DatabaseError
            where error.resultCode == .SQLITE_INTERRUPT || DiskSpace.isFull(error)
        {}
        return false
    }
}
