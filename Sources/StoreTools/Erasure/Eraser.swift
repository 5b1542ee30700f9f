import FoundationEssentials
package import Logging
package import NotificationModel
package import Primitives

/// The erasures: the removal of all data about a message, a thread, a receiver or an app group, from all stores.
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
package final class Eraser: ErasureIntake {
    /// The time after which a failed step, or a database that is read, is tried again.
    private static let pause: Duration = .seconds(1)
    /// The number of rounds after which an erasure is reported as endless. Each round removes up to 200 notifications.
    private static let mostRounds = 100_000

    private let records: any ErasureStoring
    private let stores: [any Erasable]
    private let clock: any RequestClock
    private let logger: Logger
    private let wish = Guarded(AsyncEvent())

    /// - Parameter stores: The stores, in the order in which they remove the data of a step. `records` is the last one.
    package init(
        records: any ErasureStoring, stores: [any Erasable], clock: any RequestClock, logger: Logger
    ) {
        self.records = records
        self.stores = stores + [records]
        self.clock = clock
        self.logger = logger
    }

    package func erase(_ target: ErasureTarget, suppresses: Bool) async -> Erasure? {
        let id = "erasure-" + UInt64.random(in: .min ... .max).hexadecimal(digits: 16)
        var erasure = Erasure(id: id, target: target, requestedAt: clock.date)
        erasure.suppresses = suppresses
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
        do throws(MediaFailure) {
            let open = try await records.openErasures()
            var isDone = true
            for erasure in open where !Task.isCancelled { isDone = try await carryOut(erasure) && isDone }
            return isDone
        } catch {
            logger.error("an erasure is tried again: \(error.detail)")
            return false
        }
    }

    /// Returns whether the erasure has ended.
    private func carryOut(_ open: Erasure) async throws(MediaFailure) -> Bool {
        var erasure = open
        if erasure.state == .running {
            try await removeAll(of: erasure.target, &erasure)
            erasure.state = .waitingForReader
            // The record loses the name before the old pages are removed.
            erasure.target = ErasureTarget(group: erasure.target.group, kind: erasure.target.kind, name: "")
            guard await records.store(erasure) else { return false }
        }
        guard await scrub(erasure.target.group) else { return false }
        erasure.state = .done
        erasure.endedAt = clock.date
        guard await records.store(erasure) else { return false }
        logger.notice("erased", metadata: ["erasure": "\(erasure.id)", "group": "\(erasure.target.group)"])
        return true
    }

    /// Repeats steps until a whole round removes nothing.
    private func removeAll(of target: ErasureTarget, _ erasure: inout Erasure) async throws(MediaFailure) {
        for _ in 0..<Self.mostRounds where !Task.isCancelled {
            let step = try await records.nextStep(of: target)
            var removed = ErasureCounts()
            for store in stores { removed += try await store.erase(step) }
            erasure.counts += removed
            if step.isLast, removed == ErasureCounts() { return }
            _ = await records.store(erasure)
        }
        throw MediaFailure(.storageFailed, "new data of the target arrive while it is erased")
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
