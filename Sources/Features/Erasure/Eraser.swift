package import Base
import FoundationEssentials
package import Logging
package import NotificationModel

/// The erasures: the removal of all data about a message, a thread, a recipient or an app group, from all stores.
///
/// **Input.** Targets, which the journal stores before the call is answered. **Output.** The record of each erasure, with
/// its state and counts. The name of the target is removed from the record at the end.
///
/// An erasure repeats steps until no store has data of the target. Each step is a part that the stores remove in the
/// order of the list: the coordinator cancels requests first, and the journal removes its rows last, because these
/// rows say which notifications are left. A killed daemon therefore goes on after its restart. At the end, the
/// databases are scrubbed. While another process reads an older state of a database, the erasure waits for it.
///
/// **Threads.** Erasures run one after the other on the cooperative pool. The stores use their own threads.
/// **Cancellation.** A cancelled task ends after the current step. The next daemon goes on.
///
/// To add a new store, do this: conform it to `Erasable` with its `erasedPlaces`, and return it from `stores`, and its
/// type from `erasedStores`, of its feature. A table of the journal is in `erasedTables` of its `JournalTable` instead,
/// whose `erase` removes the rows. `ServeErasureTests` fails if a busy root has a table or a directory that
/// `ErasurePlaces` does not know.
package final class Eraser: ErasureIntake {
    /// The time after which a failed step, or a database that is read, is tried again.
    private static let pause: Duration = .seconds(1)
    /// The number of rounds after which an erasure is reported as endless. Each round removes up to 200 notifications.
    private static let maxRounds = 100_000

    private let records: any ErasureStoring
    private let stores: [any Erasable]
    private let reader: (any RequestNaming)?
    private let clock: any RequestClock
    private let logger: Logger
    private let wish = Guarded(AsyncEvent())

    /// - Parameter stores: The stores, in the order in which they remove the data of a step. `records` is the last one.
    /// - Parameter reader: The reader of stored requests. Without it, stored texts are searched as bytes.
    package init(
        records: any ErasureStoring, stores: [any Erasable], reader: (any RequestNaming)?, clock: any RequestClock,
        logger: Logger
    ) {
        self.records = records
        self.stores = stores + [records]
        self.reader = reader
        self.clock = clock
        self.logger = logger
    }

    package func erase(_ target: ErasureTarget, suppresses: Bool, includesMentions: Bool) async -> Erasure? {
        let id = "erasure-" + UInt64.random(in: .min ... .max).hexadecimal(digits: 16)
        var erasure = Erasure(id: id, target: target, requestedAt: clock.date)
        erasure.suppresses = suppresses
        erasure.includesMentions = includesMentions
        guard await records.store(erasure) else { return nil }
        wish.withLock { $0 }.signal()
        return erasure
    }

    package func erasure(_ id: String) async -> Erasure? { await records.erasure(id) }

    /// Carries out the stored erasures until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            let event = AsyncEvent()
            wish.withLock { $0 = event }
            let isDone = await carryOutAll()
            if isDone {
                await event.wait()
            } else {
                await event.wait(until: clock.now.advanced(by: Self.pause), on: clock)
            }
        }
    }

    /// Carries out the open erasures as far as possible.
    ///
    /// - Returns: Whether no erasure is open any more.
    package func carryOutAll() async -> Bool {
        let open: [Erasure]
        do throws(MediaFailure) { open = try await records.openErasures() } catch {
            if !Task.isCancelled { logger.error("the erasures cannot be read: \(error.detail)") }
            return false
        }
        var isDone = true
        for erasure in open where !Task.isCancelled {
            // An erasure that fails does not keep the others from being carried out.
            do throws(MediaFailure) { isDone = try await carryOut(erasure) && isDone } catch {
                // A drain ends the reads of an erasure. The next daemon goes on with it.
                if Task.isCancelled { return false }
                logger.error("an erasure is tried again: \(error.detail)", metadata: ["erasure": "\(erasure.id)"])
                isDone = false
            }
        }
        return isDone
    }

    /// Returns whether the erasure has ended.
    private func carryOut(_ open: Erasure) async throws(MediaFailure) -> Bool {
        var erasure = open
        if erasure.state == .running {
            try await removeAll(of: erasure.target, &erasure)
            // A store that ends says that it has nothing to remove.
            if Task.isCancelled { throw MediaFailure(.storageFailed, "the daemon ends") }
            erasure.state = .waitingForReader
            // The record loses the name before the old pages are removed.
            erasure.target = ErasureTarget(group: erasure.target.group, kind: erasure.target.kind, name: "")
            erasure.recipientNames = []
            guard await records.store(erasure) else { return false }
        }
        guard await scrub(erasure.target.group) else { return false }
        erasure.state = .done
        erasure.endedAt = clock.date
        guard await records.store(erasure) else { return false }
        logger.notice("erased", metadata: ["erasure": "\(erasure.id)", "group": "\(erasure.target.group)"])
        return true
    }

    /// Repeats steps until a whole round removes nothing, and then searches the texts that are left.
    private func removeAll(of target: ErasureTarget, _ erasure: inout Erasure) async throws(MediaFailure) {
        for _ in 0..<Self.maxRounds where !Task.isCancelled {
            var step = try await records.nextStep(of: target, names: erasure.recipientNames)
            if step.recipientNames != erasure.recipientNames {
                erasure.recipientNames = step.recipientNames
                guard await records.store(erasure) else {
                    throw MediaFailure(.storageFailed, "the names of the receiver cannot be stored")
                }
            }
            (step.includesMentions, step.reader) = (erasure.includesMentions, reader)
            var removed = try await remove(step)
            // Each last step counts the same mentions again.
            let mentions = removed.mentions
            removed.mentions = 0
            erasure.counts += removed
            // A file of the spool may have become a request meanwhile.
            if step.isLast, removed == ErasureCounts(),
                try await records.nextStep(of: target, names: erasure.recipientNames).isLast
            {
                erasure.counts.mentions = mentions
                erasure.hasShortNames = step.names.contains { $0.utf8.count < NameSearch.minBytes }
                return try await searchTexts(for: step, &erasure)
            }
            _ = await records.store(erasure)
        }
        throw MediaFailure(.storageFailed, "new data of the target arrive while it is erased")
    }

    private func remove(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        var failure: MediaFailure?
        for store in stores {
            do throws(MediaFailure) { counts += try await store.erase(step) } catch {
                // The rows of the journal name the notifications that are left, so they are removed last.
                guard step.isLast else { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return counts
    }

    /// Removes the requests whose texts show that they concern the target, and counts those that only mention a name.
    private func searchTexts(for last: ErasureStep, _ erasure: inout Erasure) async throws(MediaFailure) {
        guard !last.names.isEmpty else { return }
        let matcher = ErasureMatcher(last)
        var place = ErasureSearchPlace()
        while !Task.isCancelled, let (step, mentions) = try await records.search(by: matcher, from: &place) {
            erasure.counts.mentions += mentions
            guard !step.keys.isEmpty else { continue }
            erasure.counts += try await remove(step)
            _ = await records.store(erasure)
        }
    }

    private func scrub(_ group: AppGroupName) async -> Bool {
        var isClean = true
        for store in stores {
            do throws(MediaFailure) { isClean = try await store.scrub(group) && isClean } catch {
                logger.error("a database is scrubbed again: \(error.detail)")
                isClean = false
            }
        }
        return isClean
    }
}
