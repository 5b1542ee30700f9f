import FoundationEssentials
import GRDB
import LinuxIO
import NotificationModel

/// What goes with time, and what goes for want of room. Between two steps of it the journal writes what has arrived.
extension RequestJournal {
    /// Rows that go in one transaction.
    private static let step = 500
    /// Free pages that are given back in one.
    private static let pages = 1_024
    /// Without a transaction for so long, the journal has time to be written anew.
    private static let idle: Duration = .seconds(50)

    func tidyEachMinute() {
        guard !isClosed else { return }
        settler.forget(publishedBefore: Date().addingTimeInterval(-limits.retention.seconds))
        tidy()
        _ = loop.schedule(at: .now.advanced(by: .seconds(60))) { [weak self] in
            self?.assumeIsolated { $0.tidyEachMinute() }
        }
    }

    /// One step, and then the next one behind what else is to be done.
    private func tidy() {
        guard !isClosed, health.problem == nil else { return }
        do {
            let now = Date()
            var written = try database.forget(
                emittedBefore: now.addingTimeInterval(-limits.retention.seconds),
                unkeyedBefore: now.addingTimeInterval(-limits.unkeyedRetention.seconds), atMost: Self.step)
            var goesOn = written.deletedRows >= Self.step
            note(written)
            if resultBytes > limits.quota {
                written = try database.forgetOldest(Self.step)
                note(written)
                goesOn = goesOn || (resultBytes > limits.quota && written.deletedRows > 0)
            }
            if !goesOn { goesOn = try shrink() }
            guard goesOn else { return }
            // By a timer, so that what has arrived meanwhile is written first.
            _ = loop.schedule(at: .now) { [weak self] in self?.assumeIsolated { $0.tidy() } }
        } catch {
            complaints.tell("forget", "old results cannot be forgotten: \(file.problem(for: error))")
            recover(from: error)
        }
    }

    /// - Returns: whether there is more to give back.
    private func shrink() throws -> Bool {
        if try database.shrinksInSteps() { return try database.shrink(by: Self.pages) }
        guard lastWrite.duration(to: .now) > Self.idle else { return false }
        interruptRebuilding.withLock { $0 = { [database = database.database] in database.interrupt() } }
        defer { interruptRebuilding.withLock { $0 = nil } }
        do { try database.rebuild() } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            return false
        }
        return false
    }
}
