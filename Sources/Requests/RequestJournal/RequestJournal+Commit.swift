import Base
package import LinuxIO
import NotificationModel
import SQLiteFiles

/// The group commit: all changes that have arrived share one transaction.
extension RequestJournal {
    package nonisolated func add(_ change: some JournalChange) { enqueue { $0.changes.append(change) } }

    nonisolated func enqueue(_ change: (inout sending Pending) -> Void) {
        let isFirst = pending.withLock { pending in
            change(&pending)
            defer { pending.isScheduled = true }
            return !pending.isScheduled
        }
        guard isFirst else { return }
        let interrupt = interruptRebuilding.withLock { interrupt in
            defer { interrupt = nil }
            return interrupt
        }
        interrupt?()
        // The write runs after the changes that are already in the loop's inbox, so that they share the transaction.
        loop.execute { self.assumeIsolated { $0.write() } }
    }

    /// Commits the pending changes in one transaction. If the disk is full, the journal asks for space if it may.
    func write(mayAsk: Bool = true) {
        // Changes that arrive while space is freed share the transaction that needs the space.
        guard asking == nil, !isClosed else { return }
        lastWrite = .now
        var batch = pending.withLock { pending in
            defer { pending = Pending() }
            return pending
        }
        if let problem = health.problem { return refuse(batch, because: problem) }
        if finalizer.isFull { postponeSpooled(&batch) }
        let staging = stage(batch.emissions, mayAsk)
        // The prepared emissions contain the names of the files that are already written.
        batch.emissions = staging.done + staging.left
        do {
            let effects = try database.commit(batch.changes + staging.done, isTaken: outbox.holds)
            // A commit to a file that has lost its name is not durable.
            guard isInPlace() else { return refuse(batch, because: health.problem ?? "") }
            // A full disk may accept a small result and refuse the next request. So only a batch as large as the failed
            // batch shows that requests can be accepted again.
            if batch.byteCount >= unwrittenBytes { tellWritable(true) }
            note(effects)
            let publishing = publish(staging.done, mayAsk)
            let left = Pending(emissions: staging.left + publishing.left)
            if staging.wantsSpace || publishing.wantsSpace { ask(for: left) } else { again(left, after: pause) }
        } catch {
            if mayAsk, DiskSpace.isFull(error) { return ask(for: batch) }
            warnings.report("write", "the journal cannot be written: \(file.problem(for: error))")
            unwrittenBytes = max(unwrittenBytes, batch.byteCount)
            recover(from: error)
            // After a failed sync, the next process may find a row that names the file of a refused body.
            refuse(batch, because: JournalFile.words(for: error), keepsFiles: JournalDatabase.needsReopening(error))
        }
    }

    /// Postpones the results of the spool while too many published results are not durable. Their requests stay in the
    /// coordinator, which then accepts no more files.
    private func postponeSpooled(_ batch: inout Pending) {
        again(Pending(emissions: batch.emissions.filter(\.isFromSpool)), after: .milliseconds(20))
        batch.emissions.removeAll(where: \.isFromSpool)
    }

    /// Answers changes with a failure, and keeps the other changes for the next try. The files of large values are
    /// optionally kept until the next start.
    private func refuse(_ batch: Pending, because problem: String, keepsFiles: Bool = false) {
        var left = Pending(emissions: batch.emissions)
        for change in batch.changes {
            guard change.refuse(because: problem) else {
                left.changes.append(change)
                continue
            }
            if !keepsFiles { files.remove(change.files) }
        }
        again(left, after: pause)
    }

    /// Updates the counts after a transaction, removes files that no row names any more, and gives the answers.
    func note(_ effects: JournalEffects) {
        lastSequence = effects.lastSequence ?? lastSequence
        resultBytes += effects.resultBytes
        let freed = effects.freedFiles
        if !freed.isEmpty { valueLoop.execute { [files] in files.remove(freed) } }
        for body in effects.afterCommit { body(self) }
    }

    // MARK: Staging and publication of results

    private struct Attempts {
        var done: [Emission] = []
        var left: [Emission] = []
        /// Whether the disk was full for some of the remaining results, and the journal may ask for space.
        var wantsSpace = false
    }

    /// Calls a body for each result, and collects the failed results. One failure does not delay the other results.
    private func attempt(
        _ emissions: [Emission], _ mayAsk: Bool, _ kind: String, _ purpose: String,
        _ body: (inout Emission) throws(SystemError) -> Void
    ) -> Attempts {
        var attempts = Attempts()
        for var emission in emissions {
            do throws(SystemError) {
                try body(&emission)
                attempts.done.append(emission)
            } catch {
                attempts.left.append(emission)
                if mayAsk, error.isDiskFull {
                    attempts.wantsSpace = true
                } else {
                    warnings.report(kind, "the result \(emission.content.key.id) cannot \(purpose): \(error)")
                }
            }
        }
        return attempts
    }

    /// Stages results before the transaction, and syncs the names of the staged files.
    private func stage(_ emissions: [Emission], _ mayAsk: Bool) -> Attempts {
        var unsynced: [AppGroupName: SystemError] = [:]
        var staged = attempt(emissions, mayAsk, "stage", "be written to the outbox") { emission throws(SystemError) in
            try emission.prepare(outbox, files)
        }
        for group in Set(staged.done.compactMap { $0.isFromSpool ? $0.content.key.group : nil }) {
            do throws(SystemError) { try outbox.syncStaged(in: group) } catch { unsynced[group] = error }
        }
        guard !unsynced.isEmpty else { return staged }
        let synced = attempt(staged.done, mayAsk, "stage", "be made durable") { emission throws(SystemError) in
            if emission.isFromSpool, let error = unsynced[emission.content.key.group] { throw error }
        }
        staged.done = synced.done
        staged.left += synced.left
        staged.wantsSpace = staged.wantsSpace || synced.wantsSpace
        return staged
    }

    /// Moves staged results to the outbox. Results that fail are staged and committed again.
    private func publish(_ emissions: [Emission], _ mayAsk: Bool) -> Attempts {
        let attempts = attempt(emissions, mayAsk, "publish", "be moved to the outbox") { emission throws(SystemError) in
            if emission.isFromSpool { try outbox.publish(emission.content.key) }
        }
        let bodies = attempts.done.compactMap { bodyFiles.removeValue(forKey: $0.content.key) }
        if !bodies.isEmpty { valueLoop.execute { [files] in files.remove(bodies) } }
        // The finalizer is called first, because the last published result may end the journal.
        finalizer.finalize(
            attempts.done.compactMap { emission in
                guard case .spool(let fileName) = emission.channel else { return nil }
                return PublishedResult(key: emission.content.key, fileName: fileName)
            })
        for emission in attempts.done { emission.published.resume(returning: true) }
        return attempts
    }

    func again(_ list: Pending, after pause: Duration) {
        guard !list.isEmpty else { return }
        lastPostponed += 1
        let id = lastPostponed
        postponed[id] = list
        schedule(after: pause) { journal in
            guard let list = journal.postponed.removeValue(forKey: id) else { return }
            journal.enqueue { $0.add(list) }
        }
    }

    /// Calls a body after a pause, unless the journal was released before.
    func schedule(after pause: Duration, _ body: @escaping (isolated RequestJournal) -> Void) {
        _ = loop.schedule(at: .now + pause) { [weak self] in self?.assumeIsolated(body) }
    }

    /// Writes a large body to a separate file, and asks for space if the disk is full.
    package nonisolated func store(_ bytes: [UInt8]) async throws(SystemError) -> String {
        while true {
            do throws(SystemError) {
                return try await valueLoop.perform { [files] () throws(SystemError) in try files.store(bytes) }
            } catch {
                guard error.isDiskFull, await freeSpace(bytes.count + Self.margin) else { throw error }
            }
        }
    }
}
