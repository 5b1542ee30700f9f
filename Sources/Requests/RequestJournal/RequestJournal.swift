package import Base
package import LinuxIO
package import NotificationModel
import SQLiteFiles

/// The durable journal of the daemon: `ROOT/.appgroupd/journal.sqlite`, and the publication of results into the outbox.
///
/// **Input.** Accepted requests and their results. **Output.** An answer when a request is durable, and a call when a
/// result is published. Changes that arrive while the disk is busy share the next transaction, so a durable request
/// costs a part of a sync (group commit). Bodies and results of more than 64 KiB are separate files (`ValueFiles`).
/// Another thread writes and syncs them before the transaction that names them, so they do not delay other commits.
///
/// A result from the spool goes through three steps, which the recovery after a restart can distinguish. Its file is
/// staged under `GROUP/.staged`, the journal commits the result, and the file is renamed into the outbox. After a
/// restart, a staged file without a journaled result is composed again. A staged file with a journaled result is
/// renamed. A journaled result without a staged file was published, and a reader may have removed it. When the
/// published result is durable, `OutboxFinalizer` removes the claimed file and the row.
///
/// **Refused.** A journal that is damaged, or was created by a newer version. If the disk is full, the journal first
/// asks for space, and then tries the change again after a pause. Changes that the disk does not accept before the
/// shutdown are processed after the next start. After a disk error the journal is reopened. The daemon ends if the root
/// was removed or replaced.
///
/// **Threads.** Transactions run on the thread `agd-journal`, and finalizing on `agd-settle`. Large values are written on
/// a third thread, which other parts may share.
/// **Cancellation.** The journal does not react to the cancellation of a task. The daemon calls `shutdown()` after the
/// last request.
///
/// **Features.** The journal knows requests and results. Each feature has a `JournalTable`: its tables, and the rows that
/// it adds and removes in the transactions of requests. To add a new table, do this: write its `JournalTable` with the
/// next number of a migration, add its type to the `tables` of its feature, and write each change of its rows as a
/// `JournalChange`, which callers pass to `add`. Reads go over a `JournalReader`, so that they do not wait for the disk.
package actor RequestJournal: RequestJournaling {
    /// The changes that wait for the next transaction.
    struct Pending: Sendable {
        var changes: [any JournalChange] = []
        /// The results. Their files are staged before the transaction, and published after it.
        var emissions: [Emission] = []
        var isScheduled = false

        var isEmpty: Bool { changes.isEmpty && emissions.isEmpty }

        /// The approximate size of the write, in bytes.
        var byteCount: Int {
            changes.reduce(0) { $0 + $1.byteCount } + emissions.reduce(0) { $0 + $1.byteCount }
        }

        mutating func add(_ other: Pending) {
            changes += other.changes
            emissions += other.emissions
        }
    }

    let root: String
    let directory: String
    var database: JournalDatabase
    package let files: ValueFiles
    nonisolated let tables: JournalTables
    let outbox: Outbox
    let limits: ResultLimits
    let pause: Duration
    let freeSpace: @Sendable (_ byteCount: Int) async -> Bool
    let lost: @Sendable () -> Void
    private let maxAtWork: Int
    /// The running request for disk space. No transaction runs until it ends.
    var asking: Task<Void, Never>?
    /// The changes that wait for their timers, by the number of the timer.
    var postponed: [Int: Pending] = [:]
    var lastPostponed = 0
    /// Whether the journal is closed. Scheduled work that runs after the journal is closed does nothing.
    var isClosed = false
    var warnings: RateLimitedWarnings
    var health = Health.good
    /// The size of the largest batch since the first failed one, in bytes. A full disk may accept smaller batches.
    var unwrittenBytes = 0
    /// Whether the timer of the next try is running.
    var isRetryDue = false
    /// The device and inode of the database file.
    let place: FileIdentity
    /// The number of the last row that was acknowledged.
    var lastSequence: Int
    var resultBytes: Int
    /// The time when the last transaction began.
    var lastWrite = MonotonicInstant.now
    /// The names of the files with the large bodies of unemitted requests.
    var bodyFiles: [RequestKey: String] = [:]
    /// The templates whose files exist, by their names.
    var templates: [String: TemplateReference] = [:]
    nonisolated let loop: EventLoop
    package nonisolated let valueLoop: EventLoop
    nonisolated let finalizer: OutboxFinalizer
    private let context: JournalContext
    /// The thread of short look-ups.
    package nonisolated let lookupLoop: EventLoop
    nonisolated let pending = Guarded(Pending())
    /// The function that interrupts the running rebuild of the database; `nil` if no rebuild is running, and after its
    /// call.
    nonisolated let interruptRebuilding = Guarded<(@Sendable () -> Void)?>(nil)
    private nonisolated let writable = Guarded(true)

    /// The file of the journal, which explains errors.
    var file: JournalFile { JournalFile(root: root) }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Returns the tables of a feature, which must be one of the journal's features.
    package nonisolated subscript<Table: JournalTable>(type: Table.Type) -> Table {
        guard let table = tables[type] else { preconditionFailure("the journal has no tables \(type)") }
        return table
    }

    /// Reports a sentence to the operator, unless the same kind of sentence was reported a short time ago.
    package func warn(_ kind: String, _ sentence: String) { warnings.report(kind, sentence) }

    /// Returns when the journal's thread has run a task, which shows that it commits changes. Returns at once while the
    /// thread rebuilds the idle database, because the next change interrupts the rebuild.
    package nonisolated func answer() async {
        guard interruptRebuilding.withLock({ $0 == nil }) else { return }
        await loop.perform {}
    }

    /// - Parameter root: The path of an existing directory that no other process uses.
    /// - Parameter types: The tables of features.
    /// - Parameter maxAtWork: The maximum number of requests that a daemon works on at a time.
    /// - Parameter pause: The time before a failed write is tried again.
    /// - Parameter disk: The thread of large values, which other parts share; `nil` for a separate thread.
    /// - Parameter lookups: The thread of short look-ups, which other parts share; `nil` for the thread of large values.
    /// - Parameter freeSpace: A function that frees this number of bytes on a full disk, and returns whether any bytes
    ///   were freed. The journal calls it again while the disk stays full.
    /// - Parameter lost: A function that is called once, when the root was removed or replaced. No write is durable
    ///   after this call.
    /// - Parameter warn: A function that receives a sentence about a failed write, which is tried again.
    package init(
        root: String, tables types: [any JournalTable.Type], limits: ResultLimits, maxAtWork: Int = 1_024,
        pause: Duration = .seconds(1),
        on disk: EventLoop? = nil, lookingUpOn lookups: EventLoop? = nil,
        freeSpace: @escaping @Sendable (_ byteCount: Int) async -> Bool = { _ in false },
        lost: @escaping @Sendable () -> Void = {},
        warn: @escaping @Sendable (String) -> Void
    ) async throws(MediaFailure) {
        let directory = "\(root)/\(Self.directoryName)"
        let file = JournalFile(root: root)
        let context = JournalContext(directory: directory, limits: limits)
        let tables = JournalTables(types, context)
        do {
            try file.check(warn: warn)
            database = try await DiskSpace.withFreeSpace(from: freeSpace) {
                try FileSystem.makeDirectory(directory)
                // Another part of the program may have created the directory without a sync of its name.
                try FileSystem.syncDirectory(root)
                return try JournalDatabase(directory: directory, tables.all)
            }
            files = database.files
            try files.prepare()
            lastSequence = try database.lastSequence()
            resultBytes = try database.resultBytes()
            try database.openTables()
            place = try FileIdentity(of: JournalDatabase.path(in: directory))
            finalizer = try OutboxFinalizer(root: root)
            loop = try EventLoop.start(name: "agd-journal")
            valueLoop = try EventLoop.start(name: "agd-disk", orShare: disk)
            lookupLoop = lookups ?? valueLoop
        } catch {
            throw MediaFailure(.storageFailed, "the journal cannot be opened: \(file.problem(for: error))")
        }
        self.root = root
        self.directory = directory
        (self.context, self.tables) = (context, tables)
        self.limits = limits
        self.pause = pause
        self.freeSpace = freeSpace
        self.lost = lost
        self.maxAtWork = maxAtWork
        outbox = Outbox(root: root)
        warnings = RateLimitedWarnings(warn)
        finalizer.start { [weak self] keys in self?.add(FinalizedRequests(keys: keys)) }
        loop.execute {
            self.assumeIsolated { journal in
                journal.tidyEachMinute()
                journal.watchPlace()
            }
        }
    }

    /// The daemon's own directory in the root. The name of an app group never begins with a dot.
    package static let directoryName = ".appgroupd"

    /// The path of the lock that the daemon of a root holds.
    package static func lock(in root: String) -> String { "\(root)/\(directoryName)/lock" }

    /// Returns the daemon of a root; `nil` without a daemon.
    package static func holder(of root: String) throws(SystemError) -> FileLock.Holder? {
        try FileLock.holder(of: lock(in: root))
    }

    /// Writes the remaining changes, as far as the disk has space, and ends the threads. The daemon calls this method
    /// once, after the last request and the last result.
    package nonisolated func shutdown() async {
        // Large results that are being written to files become pending changes first.
        await valueLoop.perform {}
        await finalizer.shutdown()
        await close()
        valueLoop.shutdown()
        loop.shutdown()
    }

    func close() async {
        for list in postponed.values { pending.withLock { $0.add(list) } }
        postponed = [:]
        write()
        while let asking { await asking.value }
        isClosed = true
        context.closeReaders()
        database.close()
    }

    // MARK: Conformance to RequestJournaling

    package nonisolated func accept(_ entry: JournalEntry, with result: EmittedContent?) async -> JournalAnswer {
        var acceptance = Acceptance(entry: entry, result: result.map { JournalDatabase.Result(content: $0) })
        do throws(SystemError) {
            if let result {
                if result.isLarge { acceptance.result?.contentFile = try await store(result.json) }
            } else if entry.body.count > ValueFiles.threshold {
                acceptance.bodyFile = try await store(entry.body)
            }
        } catch {
            return .failed("\(error)")
        }
        add(acceptance)
        return await acceptance.answer.value()
    }

    package nonisolated func publish(_ content: EmittedContent, from channel: RequestChannel) -> Waiter<Bool> {
        let emission = Emission(content: content, channel: channel)
        guard content.isLarge else {
            enqueue { $0.emissions.append(emission) }
            return emission.published
        }
        valueLoop.execute { [self] in
            var prepared = emission
            // If the preparation fails here, the journal's thread repeats it and reports the error.
            try? prepared.prepare(outbox, files)
            let ready = prepared
            enqueue { $0.emissions.append(ready) }
        }
        return emission.published
    }

    package nonisolated func keepUndelivered(_ key: RequestKey) { add(UndeliveredRequest(key: key)) }

    package nonisolated var isWritable: Bool { writable.withLock { $0 } }

    package nonisolated func content(of key: RequestKey) async -> EmittedContent? {
        guard let result = try? await result(of: key) else { return outbox.content(of: key) }
        guard result.contentFile != nil else { return result.content }
        let content = try? await valueLoop.perform { [files] () throws(SystemError) in result.read(from: files) }
        // The row of a published result may be deleted while its file is read.
        return content ?? outbox.content(of: key)
    }

    private func result(of key: RequestKey) throws -> JournalDatabase.Result? { try database.result(of: key) }

    package func recover() async throws(MediaFailure) -> [JournalEntry] {
        do {
            let unfinalized = try database.unfinalized()
            for row in unfinalized {
                try await DiskSpace.withFreeSpace(from: freeSpace) { try outbox.finish(row.content) }
            }
            // The rows are finalized before the spool scans the claimed files again.
            try await finalizer.finish(unfinalized.map { PublishedResult(key: $0.content.key, fileName: $0.fileName) })
            try files.sweep(keeping: database.namedFiles())
            let found = try await DiskSpace.withFreeSpace(from: freeSpace) { try database.unemitted(tried: maxAtWork) }
            bodyFiles = found.bodyFiles
            for template in found.templates.values { keep(template) }
            if found.unreadable > 0 {
                warnings.report(
                    "unreadable",
                    "\(found.unreadable) accepted requests in the journal cannot be read; they stay in the journal")
            }
            for entry in found.entries { outbox.takeBack(entry) }
            return found.entries
        } catch {
            throw MediaFailure(.storageFailed, "the journal cannot be read: \(file.problem(for: error))")
        }
    }

    /// Sets whether requests can be accepted.
    func tellWritable(_ isWritable: Bool) {
        if isWritable { unwrittenBytes = 0 }
        writable.withLock { $0 = isWritable }
    }
}

extension EmittedContent {
    var isLarge: Bool { json.count > ValueFiles.threshold }
}
