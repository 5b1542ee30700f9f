import NotificationModel
package import Primitives

extension PoolStateMachine {
    /// The factor for a job's estimated wait. Estimates are means, so some jobs take longer.
    private static var slack: Double { 1.25 }
    /// The longest time for which the reservation of a download is included in the estimated wait. Otherwise, the
    /// downloads of stalled origins would make an idle pool refuse other media.
    private static var longestDownload: Duration { .seconds(5) }

    /// Adds a reservation for a job to the queue, if a job that is submitted now could be finished in time.
    ///
    /// A job is refused only if it would wait too long, and never because of its own cost. If a job takes too long, a
    /// worker makes a smaller or simpler rendition. An idle pool therefore refuses nothing, and the next jobs correct a
    /// wrong estimate. A video needs only the time for its still image. An image needs the time for its whole cost, but
    /// at most half of the time until its deadline. Otherwise most images would be made smaller under overload.
    ///
    /// - Returns: Whether the job is admitted.
    package mutating func admit(_ job: JobID, _ terms: TranscodeTerms, at now: MonotonicInstant) -> Bool {
        guard wouldAdmit(terms, at: now) else { return false }
        queue.insert(job, terms, isReady: false)
        reservations.append((job, now))
        return true
    }

    /// Returns whether a job that is submitted now could be finished in time. Nothing is reserved.
    package mutating func wouldAdmit(_ terms: TranscodeTerms, at now: MonotonicInstant) -> Bool {
        let time = now.duration(to: terms.deadline)
        guard time > .zero else { return false }
        discountReservations(at: now)
        let wait = wait(for: terms, at: now)
        return wait == .zero || wait * Self.slack + ownTime(of: terms, within: time) <= time
    }

    private func ownTime(of terms: TranscodeTerms, within time: Duration) -> Duration {
        guard terms.neededCost > 0 else { return .zero }
        return terms.hasStill ? self.time(of: terms.leastCost) : min(self.time(of: terms.cost), time / 2)
    }

    private mutating func discountReservations(at now: MonotonicInstant) {
        let old = reservations.prefix { $0.since + Self.longestDownload <= now }
        for reservation in old { queue.discount(reservation.job) }
        reservations.removeFirst(old.count)
    }

    package func isReserved(_ job: JobID) -> Bool { queue.isReserved(job) }

    /// Removes a reservation whose job was never submitted. A submitted job stays in the queue.
    package mutating func release(_ job: JobID) { if queue.isReserved(job) { queue.remove(job) } }

    /// Returns the wait of a job that is submitted now. The cost of each earlier job is the largest cost that the job
    /// can have before its own deadline.
    package func wait(for terms: TranscodeTerms, at now: MonotonicInstant) -> Duration {
        let pace = pace
        let isWarming = terms.flow.priority <= MediaRank.warming
        let ahead = queue.costAhead(of: terms) { $0.possibleCost(from: now, at: pace) }
        let most = isWarming ? warmingSize : size
        let running = running(isWarming: isWarming)
        if ahead == 0, running.count < most { return .zero }
        let wait = (time(of: ahead) + timeLeft(of: running, at: now)) / most
        guard !isWarming, Self.isShort(terms, now, pace) else { return wait }
        return min(wait, waitOfShortJob(terms, running, at: now) ?? wait)
    }

    /// Returns the wait for the workers that do not run long jobs, or `nil` if even the additional worker runs a long
    /// job.
    private func waitOfShortJob(
        _ terms: TranscodeTerms, _ running: [Running], at now: MonotonicInstant
    ) -> Duration? {
        let pace = pace
        let short = running.filter { !isLong($0, at: now) }
        let longCount = running.count - short.count
        guard longCount <= size else { return nil }
        let ahead = queue.costAhead(of: terms) { terms in
            Self.isShort(terms, now, pace) ? terms.possibleCost(from: now, at: pace) : 0
        }
        return (time(of: ahead) + timeLeft(of: short, at: now)) / max(1, size - longCount)
    }

    private func timeLeft(of jobs: [Running], at now: MonotonicInstant) -> Duration {
        jobs.reduce(.zero) { $0 + max(.zero, timeLeft(of: $1, at: now)) }
    }

    private func timeLeft(of running: Running, at now: MonotonicInstant) -> Duration {
        let whole = time(of: running.terms.possibleCost(from: running.since, at: pace))
        return min(whole - running.since.duration(to: now), now.duration(to: running.terms.deadline))
    }
}
