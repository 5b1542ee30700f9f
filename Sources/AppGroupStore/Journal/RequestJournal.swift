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
/// All of it runs on one thread, `agd-journal`, and settling on another. What finds the disk full asks for room first,
/// then waits and is tried again; what the disk has not taken at the end is the next start's.
package actor RequestJournal: RequestJournaling {
    struct Emission: Sendable {
        let content: EmittedContent
        let origin: RequestOrigin
        let published: @Sendable () -> Void
    }

    typealias Entry = (JournalEntry, CheckedContinuation<JournalAnswer, Never>)

    /// What waits to be written.
    struct Pending: Sendable {
        var entries: [Entry] = []
        var emissions: [Emission] = []
        var settled: [RequestKey] = []
        var isScheduled = false

        var isEmpty: Bool { entries.isEmpty && emissions.isEmpty && settled.isEmpty }

        mutating func add(_ other: Pending) {
            entries += other.entries
            emissions += other.emissions
            settled += other.settled
        }
    }

    let database: JournalDatabase
    let makeRoom: @Sendable (_ byteCount: Int) async -> Bool
    /// Under way to who can make room; nothing is written meanwhile.
    var asking: Task<Void, Never>?
    private let outbox: Outbox
    private let resultRetention: Duration
    private let pause: Duration
    private let mostAtWork: Int
    /// Until their timers bring them back.
    private var postponed: [Int: Pending] = [:]
    private var lastPostponed = 0
    /// Turns that were asked for before come after it.
    private var isClosed = false
    private var complaints: Complaints
    private nonisolated let loop: EventLoop
    private nonisolated let settler: OutboxSettler
    nonisolated let pending = Guarded(Pending())

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - root: exists, and is this process's alone.
    ///   - resultRetention: how long results that were asked for over HTTP can be asked for again, and how long those in
    ///     the outbox wait for a reader.
    ///   - mostAtWork: requests that a daemon works on at a time.
    ///   - pause: before what could not be written is tried again.
    ///   - makeRoom: asked for so many bytes when the disk is full; says whether anything was given up for them. Asked
    ///     again as long as that did not do.
    ///   - complain: told in a sentence what cannot be written, and is tried again.
    package init(
        root: String, resultRetention: Duration, mostAtWork: Int = 1_024, pause: Duration = .seconds(1),
        makeRoom: @escaping @Sendable (_ byteCount: Int) async -> Bool = { _ in false },
        complain: @escaping @Sendable (String) -> Void
    ) async throws(MediaFailure) {
        do {
            database = try await Self.withRoom(from: makeRoom) {
                try FileSystem.makeFolder(root + "/" + Self.folderName)
                return try JournalDatabase(path: "\(root)/\(Self.folderName)/journal.sqlite")
            }
            settler = try OutboxSettler(root: root)
            loop = try EventLoop.start(name: "agd-journal")
        } catch {
            throw MediaFailure(.storageFailed, "the journal cannot be opened: \(error)")
        }
        outbox = Outbox(root: root)
        self.resultRetention = resultRetention
        self.pause = pause
        self.makeRoom = makeRoom
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

    /// Writes what is left, as far as there is room, and ends the threads. Called once, when nothing more is accepted or emitted.
    package nonisolated func shutdown() async {
        await settler.shutdown()
        await close()
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
            for row in unsettled {
                try await Self.withRoom(from: makeRoom) { try outbox.finish(row.content, claimedAs: row.fileName) }
            }
            // Before anybody looks at the claimed files again.
            try await settler.finish(unsettled.map { Settlement(key: $0.content.key, fileName: $0.fileName) })
            let entries = try await Self.withRoom(from: makeRoom) { try database.unemitted(tried: mostAtWork) }
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

    /// - Parameter mayAsk: whether somebody may still have room to give.
    func write(mayAsk: Bool = true) {
        // What comes while room is made goes with what needs it.
        guard asking == nil, !isClosed else { return }
        let batch = pending.withLock { pending in
            defer { pending = Pending() }
            return pending
        }
        let staging = attempt(batch.emissions, mayAsk, "stage", "be written to the outbox") {
            emission throws(SystemError) in
            if emission.isFromSpool { try outbox.stage(emission.content) }
        }
        let groups = Set(staging.done.compactMap { $0.isFromSpool ? $0.content.key.group : nil })
        for group in groups { outbox.syncStaged(in: group) }
        do {
            let answers = try database.write(
                accepting: batch.entries.map(\.0), emitting: staging.done.map(\.content), forgetting: batch.settled,
                isTaken: outbox.holds)
            var early: [Entry] = []
            for (entry, answer) in zip(batch.entries, answers) {
                if let answer { entry.1.resume(returning: answer) } else { early.append(entry) }
            }
            // Settling takes about as long as the disk takes for a sync.
            again(Pending(entries: early), after: .milliseconds(20))
            let publishing = publish(staging.done, mayAsk)
            let left = Pending(emissions: staging.left + publishing.left)
            if staging.wantsRoom || publishing.wantsRoom { ask(for: left) } else { again(left, after: pause) }
        } catch {
            if mayAsk, JournalDatabase.isFull(error) { return ask(for: batch) }
            for (_, continuation) in batch.entries { continuation.resume(returning: .failed("\(error)")) }
            complaints.tell("write", "the journal cannot be written: \(error)")
            again(Pending(emissions: batch.emissions, settled: batch.settled), after: pause)
        }
    }

    private struct Attempts {
        var done: [Emission] = []
        var left: [Emission] = []
        /// What is left may find a place when somebody gives way.
        var wantsRoom = false
    }

    /// One result's trouble is not the others'.
    private func attempt(
        _ emissions: [Emission], _ mayAsk: Bool, _ kind: String, _ purpose: String,
        _ body: (Emission) throws(SystemError) -> Void
    ) -> Attempts {
        var attempts = Attempts()
        for emission in emissions {
            do throws(SystemError) {
                try body(emission)
                attempts.done.append(emission)
            } catch {
                attempts.left.append(emission)
                if mayAsk, error.isDiskFull {
                    attempts.wantsRoom = true
                } else {
                    complaints.tell(kind, "the result \(emission.content.key.id) cannot \(purpose): \(error)")
                }
            }
        }
        return attempts
    }

    /// What could not be published is tried again as a whole.
    private func publish(_ emissions: [Emission], _ mayAsk: Bool) -> Attempts {
        let attempts = attempt(emissions, mayAsk, "publish", "be moved to the outbox") { emission throws(SystemError) in
            if emission.isFromSpool { try outbox.publish(emission.content.key) }
        }
        // Before the word is out: whoever hears the last one may end the journal.
        settler.settle(
            attempts.done.compactMap { emission in
                guard case .spool(let fileName) = emission.origin else { return nil }
                return Settlement(key: emission.content.key, fileName: fileName)
            })
        for emission in attempts.done { emission.published() }
        return attempts
    }

    private func again(_ list: Pending, after pause: Duration) {
        guard !list.isEmpty else { return }
        lastPostponed += 1
        let id = lastPostponed
        postponed[id] = list
        _ = loop.schedule(at: .now.advanced(by: pause)) { [weak self] in
            self?.assumeIsolated { journal in
                guard let list = journal.postponed.removeValue(forKey: id) else { return }
                journal.add { $0.add(list) }
            }
        }
    }
}

extension RequestJournal.Emission {
    var isFromSpool: Bool { if case .spool = origin { true } else { false } }
}
