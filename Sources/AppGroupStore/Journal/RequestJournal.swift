import FoundationEssentials
import LinuxIO
package import NotificationModel

/// The daemon's durable memory: `ROOT/.appgroupd/journal.sqlite`, and the way of results into the outbox.
///
/// In come accepted requests and their results; out goes the word that they are durable. Whatever arrives while the
/// disk is busy shares the next transaction, so that a durable request costs a part of a sync (group commit). Bodies and
/// results of more than 64 KiB are files of their own, written and synced on another thread before the transaction that
/// names them (`ValueFiles`), so that nobody else's commit waits for them.
///
/// A result from the spool goes through three steps, each of which a restart can tell from the next: its file is staged
/// under `GROUP/.staged`, the journal takes the result, the file is renamed into the outbox. A staged file without a
/// journaled result is composed anew; one with it is renamed; a journaled result without a staged file was published,
/// and a reader may have taken it. Only when the disk has it all (`OutboxFinalizer`) are the claimed file and the row let
/// go.
///
/// All of it runs on one thread, `agd-journal`, settling and large values on two more. A change that finds the disk full
/// asks for room first, then waits and is tried again; what the disk has not taken at the end is the next start's. After
/// a disk error the journal is reopened. A root that was removed or replaced ends the daemon.
package actor RequestJournal: RequestJournaling {
    struct Emission: Sendable {
        let content: EmittedContent
        let origin: RequestOrigin
        /// Name of the file of a large result; `nil` until it is written.
        var contentFile: String?
        let published: @Sendable () -> Void
    }

    struct Entry: Sendable {
        let acceptance: JournalDatabase.Acceptance
        let answer: CheckedContinuation<JournalAnswer, Never>
    }

    /// Changes that wait for the next transaction.
    struct Pending: Sendable {
        var entries: [Entry] = []
        var emissions: [Emission] = []
        var settled: [RequestKey] = []
        var undelivered: [RequestKey] = []
        var isScheduled = false

        var isEmpty: Bool { entries.isEmpty && emissions.isEmpty && settled.isEmpty && undelivered.isEmpty }

        mutating func add(_ other: Pending) {
            entries += other.entries
            emissions += other.emissions
            settled += other.settled
            undelivered += other.undelivered
        }
    }

    /// The limits on kept results.
    package struct Limits: Sendable {
        /// How long results of HTTP requests are kept, and how long results in the outbox wait for a reader.
        package var retention: Duration
        /// The same for results of unkeyed requests, after their waiting callers have received them.
        package var unkeyedRetention: Duration = .seconds(600)
        /// Bytes of all results; the oldest are deleted first.
        package var quota = 1 << 30

        package init(retention: Duration) { self.retention = retention }
    }

    let root: String
    let directory: String
    var database: JournalDatabase
    let files: ValueFiles
    let outbox: Outbox
    let limits: Limits
    let pause: Duration
    let makeRoom: @Sendable (_ byteCount: Int) async -> Bool
    let lost: @Sendable () -> Void
    private let mostAtWork: Int
    /// Under way to who can make room; nothing is written meanwhile.
    var asking: Task<Void, Never>?
    /// Until their timers bring them back.
    var postponed: [Int: Pending] = [:]
    var lastPostponed = 0
    /// Turns that were asked for before come after it.
    var isClosed = false
    var warnings: RateLimitedWarnings
    var health = Health.good
    /// Bytes of the largest batch since the first failure that could not be committed. A full disk may take smaller ones.
    var unwrittenBytes = 0
    /// Whether the timer of the next try is running.
    var isRetryDue = false
    /// Device and inode of the database file.
    let place: FileIdentity
    /// Number of the last row that was acknowledged.
    var lastSequence: Int
    /// Bytes of all results.
    var resultBytes: Int
    /// When the last transaction began.
    var lastWrite = MonotonicInstant.now
    /// Names of the files of unemitted requests' large bodies.
    var bodyFiles: [RequestKey: String] = [:]
    nonisolated let loop: EventLoop
    nonisolated let valueLoop: EventLoop
    nonisolated let finalizer: OutboxFinalizer
    nonisolated let pending = Guarded(Pending())
    /// Interrupts the rebuild of the database that is running.
    nonisolated let interruptRebuilding = Guarded<(@Sendable () -> Void)?>(nil)
    private nonisolated let writable = Guarded(true)

    /// The journal as a file, which says what is wrong with it.
    var file: JournalFile { JournalFile(root: root) }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - root: exists, and is this process's alone.
    ///   - mostAtWork: requests that a daemon works on at a time.
    ///   - pause: before what could not be written is tried again.
    ///   - makeRoom: asked for so many bytes when the disk is full; says whether anything was given up for them. Asked
    ///     again as long as that did not do.
    ///   - lost: called once, when the root was removed or replaced: nothing can be made durable any more.
    ///   - complain: told in a sentence what cannot be written, and is tried again.
    package init(
        root: String, limits: Limits, mostAtWork: Int = 1_024, pause: Duration = .seconds(1),
        makeRoom: @escaping @Sendable (_ byteCount: Int) async -> Bool = { _ in false },
        lost: @escaping @Sendable () -> Void = {},
        complain: @escaping @Sendable (String) -> Void
    ) async throws(MediaFailure) {
        let directory = "\(root)/\(Self.directoryName)"
        let file = JournalFile(root: root)
        do {
            try file.check(complain: complain)
            database = try await DiskRoom.withRoom(from: makeRoom) {
                try FileSystem.makeDirectory(directory)
                // Another part of the program may have made the folder without a sync of its name.
                try FileSystem.syncDirectory(root)
                return try JournalDatabase(directory: directory)
            }
            files = database.files
            try files.prepare()
            lastSequence = try database.lastSequence()
            resultBytes = try database.resultBytes()
            place = try FileIdentity(of: JournalDatabase.path(in: directory))
            finalizer = try OutboxFinalizer(root: root)
            loop = try EventLoop.start(name: "agd-journal")
            valueLoop = try EventLoop.start(name: "agd-values")
        } catch {
            throw MediaFailure(.storageFailed, "the journal cannot be opened: \(file.problem(for: error))")
        }
        self.root = root
        self.directory = directory
        self.limits = limits
        self.pause = pause
        self.makeRoom = makeRoom
        self.lost = lost
        self.mostAtWork = mostAtWork
        outbox = Outbox(root: root)
        warnings = RateLimitedWarnings(complain)
        finalizer.start { [weak self] keys in self?.add { $0.settled += keys } }
        loop.execute {
            self.assumeIsolated { journal in
                journal.tidyEachMinute()
                journal.watchPlace()
            }
        }
    }

    /// The daemon's own folder in the root: no group's name begins with a dot.
    package static let directoryName = ".appgroupd"

    /// Writes what is left, as far as there is room, and ends the threads. Called once, when nothing more is accepted or
    /// emitted.
    package nonisolated func shutdown() async {
        // Large results that are being written to files become pending changes first.
        try? await onValueThread {}
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
        database.close()
    }

    // MARK: RequestJournaling

    package nonisolated func accept(_ entry: JournalEntry, with result: EmittedContent?) async -> JournalAnswer {
        var acceptance = JournalDatabase.Acceptance(entry: entry)
        acceptance.result = result.map { JournalDatabase.Result(content: $0) }
        do throws(SystemError) {
            if let result {
                if result.isLarge { acceptance.result?.contentFile = try await store(result.json) }
            } else if entry.body.count > ValueFiles.threshold {
                acceptance.bodyFile = try await store(entry.body)
            }
        } catch {
            return .failed("\(error)")
        }
        return await withCheckedContinuation { continuation in
            add { $0.entries.append(Entry(acceptance: acceptance, answer: continuation)) }
        }
    }

    package nonisolated func emit(
        _ content: EmittedContent, from origin: RequestOrigin, published: @escaping @Sendable () -> Void
    ) {
        let emission = Emission(content: content, origin: origin, published: published)
        guard content.isLarge else { return add { $0.emissions.append(emission) } }
        valueLoop.execute { [self] in
            var prepared = emission
            // After a failure here the journal's thread tries again, and reports what fails.
            try? prepared.prepare(outbox, files)
            let ready = prepared
            add { $0.emissions.append(ready) }
        }
    }

    package nonisolated func keepUndelivered(_ key: RequestKey) { add { $0.undelivered.append(key) } }

    package nonisolated var isWritable: Bool { writable.withLock { $0 } }

    package nonisolated func content(of key: RequestKey) async -> EmittedContent? {
        guard let result = try? await result(of: key) else { return outbox.content(of: key) }
        guard result.contentFile != nil else { return result.content }
        let content = try? await onValueThread { [files] () throws(SystemError) in result.read(from: files) }
        // The row of a published result may be deleted while its file is read.
        return content ?? outbox.content(of: key)
    }

    private func result(of key: RequestKey) throws -> JournalDatabase.Result? { try database.result(of: key) }

    package func recover() async throws(MediaFailure) -> [JournalEntry] {
        do {
            let unsettled = try database.unsettled()
            for row in unsettled {
                try await DiskRoom.withRoom(from: makeRoom) { try outbox.finish(row.content) }
            }
            // Before anybody looks at the claimed files again.
            try await finalizer.finish(unsettled.map { PublishedResult(key: $0.content.key, fileName: $0.fileName) })
            try files.sweep(keeping: database.namedFiles())
            let found = try await DiskRoom.withRoom(from: makeRoom) { try database.unemitted(tried: mostAtWork) }
            bodyFiles = found.bodyFiles
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

extension RequestJournal.Emission {
    var isFromSpool: Bool { if case .spool = origin { true } else { false } }

    /// Writes the files that must be there before the transaction. Blocks.
    mutating func prepare(_ outbox: Outbox, _ files: ValueFiles) throws(SystemError) {
        if isFromSpool, contentFile == nil || !outbox.hasStaged(content.key) { try outbox.stage(content) }
        if content.isLarge, contentFile == nil { contentFile = try files.store(content.json) }
    }
}

extension EmittedContent {
    fileprivate var isLarge: Bool { json.count > ValueFiles.threshold }
}
