import FoundationEssentials
import LinuxIO
package import NotificationModel

/// The daemon's durable memory: `ROOT/.appgroupd/journal.sqlite`, and the way of results into the outbox.
///
/// In come accepted requests and their results; out goes the word that they are durable. Whatever arrives while the
/// disk is busy shares the next transaction, so that a durable request costs a part of an fsync (group commit).
///
/// A result from the spool goes through three steps, each of which a restart can tell from the next: its file is staged
/// under `GROUP/.staged`, the journal takes the result, the file is renamed into the outbox. A staged file without a
/// journaled result is composed anew; one with it is renamed; a journaled result without a staged file was published,
/// and a reader may have taken it. Only when the disk has it all (`OutboxSettler`) are the claimed file and the row let
/// go.
///
/// All of it runs on one thread, `agd-journal`, and settling on another. What fails for want of space is tried again.
package actor RequestJournal: RequestJournaling {
    struct Emission: Sendable {
        let content: EmittedContent
        let origin: RequestOrigin
        let published: @Sendable () -> Void
    }

    private typealias Entry = (JournalEntry, CheckedContinuation<JournalAnswer, Never>)

    private struct Pending: Sendable {
        var entries: [Entry] = []
        var emissions: [Emission] = []
        var settled: [RequestKey] = []
        var isScheduled = false
    }

    private let database: JournalDatabase
    private let outbox: Outbox
    private let resultRetention: Duration
    private let pause: Duration
    private let mostAtWork: Int
    private var complaints: Complaints
    private nonisolated let loop: EventLoop
    private nonisolated let settler: OutboxSettler
    private nonisolated let pending = Guarded(Pending())

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - root: exists, and is this process's alone.
    ///   - resultRetention: how long results that were asked for over HTTP can be asked for again, and how long those in
    ///     the outbox wait for a reader.
    ///   - mostAtWork: requests that a daemon works on at a time.
    ///   - pause: before what could not be written is tried again.
    ///   - complain: told in a sentence what cannot be written, and is tried again.
    package init(
        root: String, resultRetention: Duration, mostAtWork: Int = 1_024, pause: Duration = .seconds(1),
        complain: @escaping @Sendable (String) -> Void
    ) throws(MediaFailure) {
        do {
            try FileSystem.makeFolder(root + "/" + Self.folderName)
            database = try JournalDatabase(path: "\(root)/\(Self.folderName)/journal.sqlite")
            settler = try OutboxSettler(root: root)
            loop = try EventLoop.start(name: "agd-journal")
        } catch {
            throw MediaFailure(.storageFailed, "the journal cannot be opened: \(error)")
        }
        outbox = Outbox(root: root)
        self.resultRetention = resultRetention
        self.pause = pause
        self.mostAtWork = mostAtWork
        complaints = Complaints(complain)
        settler.start { [weak self] keys in self?.add { $0.settled += keys } }
        loop.execute { self.assumeIsolated { $0.forgetHourly() } }
    }

    private func forgetHourly() {
        let date = Date().addingTimeInterval(-resultRetention.seconds)
        settler.forget(publishedBefore: date)
        do {
            try database.forget(emittedBefore: date)
        } catch {
            complaints.tell("forget", "old results cannot be forgotten: \(error)")
        }
        _ = loop.schedule(at: .now.advanced(by: .seconds(3_600))) { [weak self] in
            self?.assumeIsolated { $0.forgetHourly() }
        }
    }

    /// The daemon's own folder in the root: no group's name begins with a dot.
    package static let folderName = ".appgroupd"

    /// Writes what is left and ends the threads. Called once, when nothing more is accepted or emitted.
    package nonisolated func shutdown() async {
        await settler.shutdown()
        await close()
        loop.shutdown()
    }

    private func close() {
        write()
        database.close()
    }

    // MARK: RequestJournaling

    package nonisolated func accept(_ entry: JournalEntry) async -> JournalAnswer {
        await withCheckedContinuation { continuation in
            add { $0.entries.append((entry, continuation)) }
        }
    }

    package nonisolated func emit(
        _ content: EmittedContent, from origin: RequestOrigin, published: @escaping @Sendable () -> Void
    ) {
        add { $0.emissions.append(Emission(content: content, origin: origin, published: published)) }
    }

    package func content(of key: RequestKey) async -> EmittedContent? {
        (try? database.content(of: key)) ?? outbox.content(of: key)
    }

    package func recover() async throws(MediaFailure) -> [JournalEntry] {
        do {
            let unsettled = try database.unsettled()
            for row in unsettled { try outbox.finish(row.content, claimedAs: row.fileName) }
            // Before anybody looks at the claimed files again.
            try await settler.finish(unsettled.map { Settlement(key: $0.content.key, fileName: $0.fileName) })
            let entries = try database.unemitted(tried: mostAtWork)
            for entry in entries { outbox.takeBack(entry) }
            return entries
        } catch {
            throw MediaFailure(.storageFailed, "the journal cannot be read: \(error)")
        }
    }

    // MARK: Group commit

    private nonisolated func add(_ change: (inout sending Pending) -> Void) {
        let isFirst = pending.withLock { pending in
            change(&pending)
            defer { pending.isScheduled = true }
            return !pending.isScheduled
        }
        // Behind all that is in the loop's inbox by now, so that it shares the transaction.
        if isFirst { loop.execute { self.assumeIsolated { $0.write() } } }
    }

    private func write() {
        let batch = pending.withLock { pending in
            defer { pending = Pending() }
            return pending
        }
        let (staged, unstaged) = stage(batch.emissions)
        do {
            let answers = try database.write(
                accepting: batch.entries.map(\.0), emitting: staged.map(\.content), forgetting: batch.settled,
                isTaken: outbox.holds)
            var early: [Entry] = []
            for (entry, answer) in zip(batch.entries, answers) {
                if let answer { entry.1.resume(returning: answer) } else { early.append(entry) }
            }
            again(unstaged + publish(staged), after: pause)
            // Settling takes about as long as the disk takes for a sync.
            again(entries: early, after: .milliseconds(20))
        } catch {
            for (_, continuation) in batch.entries { continuation.resume(returning: .failed("\(error)")) }
            complaints.tell("write", "the journal cannot be written: \(error)")
            again(staged + unstaged, settled: batch.settled, after: pause)
        }
    }

    /// Files under names that nobody looks at.
    private func stage(_ emissions: [Emission]) -> (staged: [Emission], unstaged: [Emission]) {
        var staged: [Emission] = []
        var unstaged: [Emission] = []
        for emission in emissions {
            do throws(SystemError) {
                if case .spool = emission.origin { try outbox.stage(emission.content) }
                staged.append(emission)
            } catch {
                complaints.tell(
                    "stage", "the result \(emission.content.key.id) cannot be written to the outbox: \(error)")
                unstaged.append(emission)
            }
        }
        let groups = Set(staged.compactMap { $0.isFromSpool ? $0.content.key.group : nil })
        for group in groups { outbox.syncStaged(in: group) }
        return (staged, unstaged)
    }

    /// - Returns: what could not be published, and is tried again as a whole.
    private func publish(_ emissions: [Emission]) -> [Emission] {
        var settlements: [Settlement] = []
        var published: [Emission] = []
        var unpublished: [Emission] = []
        for emission in emissions {
            do throws(SystemError) {
                if case .spool(let fileName) = emission.origin {
                    try outbox.publish(emission.content.key)
                    settlements.append(Settlement(key: emission.content.key, fileName: fileName))
                }
                published.append(emission)
            } catch {
                complaints.tell("publish", "\(emission.content.key.id) cannot be moved to the outbox: \(error)")
                unpublished.append(emission)
            }
        }
        // Before the word is out: whoever hears the last one may end the journal.
        settler.settle(settlements)
        for emission in published { emission.published() }
        return unpublished
    }

    private func again(
        entries: [Entry] = [], _ emissions: [Emission] = [], settled: [RequestKey] = [], after pause: Duration
    ) {
        guard !entries.isEmpty || !emissions.isEmpty || !settled.isEmpty else { return }
        _ = loop.schedule(at: .now.advanced(by: pause)) { [weak self] in
            self?.add { pending in
                pending.entries += entries
                pending.emissions += emissions
                pending.settled += settled
            }
        }
    }
}

extension RequestJournal.Emission {
    var isFromSpool: Bool { if case .spool = origin { true } else { false } }
}
