import Base

/// The admission of media items before their downloads. Serves `overload`: jobs that cannot end take time from others.
extension PoolStateMachine {
    /// The factor for a job's estimated wait. Estimates are means, so some jobs take longer.
    private static var slack: Double { 1.25 }

    /// Adds a reservation for a job to the queue, if a job that is submitted now could be finished in time.
    ///
    /// - Returns: `nil` if the job is admitted, otherwise the estimated wait.
    mutating func admit(_ job: JobID, _ terms: TranscodeTerms, at now: MonotonicInstant) -> Duration? {
        if let wait = excessiveWait(for: terms, at: now) { return wait }
        queue.insert(PoolJob(id: job, terms: terms, isReady: false, since: now))
        return nil
    }

    /// Returns the estimated wait of a job that could not be finished in time if it were submitted now, or `nil`.
    ///
    /// A job is refused only if it would wait too long, and never because of its own time. If a job takes too long, a
    /// worker makes a smaller or simpler rendition. An idle pool therefore refuses nothing, and the next jobs correct a
    /// wrong estimate. A video needs only the time for its still image. An image needs its whole time, but at most half
    /// of the time until its deadline. Serves `overload`: at most a fifth of the images are made smaller.
    func excessiveWait(for terms: TranscodeTerms, at now: MonotonicInstant) -> Duration? {
        let left = now.microseconds(to: terms.deadline)
        let wait = microsecondsOfWait(for: terms, at: now)
        let own = terms.minTime == 0 ? 0 : terms.hasStill ? terms.minTime : min(terms.time, left / 2)
        let isAdmitted = left > 0 && (wait == 0 || wait * Self.slack + own <= left)
        return isAdmitted ? nil : .microseconds(wait)
    }

    /// Removes a reservation. Its job is submitted under another number.
    mutating func release(_ job: JobID) { queue.remove(job) }

    /// Returns the estimated wait of a job that is submitted now.
    func wait(for terms: TranscodeTerms, at now: MonotonicInstant) -> Duration {
        .microseconds(microsecondsOfWait(for: terms, at: now))
    }

    /// Returns the estimated wait. A short job waits only for other short jobs, because a worker is free of long jobs.
    private func microsecondsOfWait(for terms: TranscodeTerms, at now: MonotonicInstant) -> Double {
        var running = running(isWarming: terms.flow.isWarming)
        var most = terms.flow.isWarming ? warmingSize : size
        let longCount = running.count { $0.isLong(at: now) }
        let isOfShort = !terms.flow.isWarming && terms.isShort(from: now) && longCount <= size
        if isOfShort {
            running.removeAll { $0.isLong(at: now) }
            most = max(1, size - longCount)
        }
        let ahead = queue.timeAhead(of: terms, at: now) { !isOfShort || $0.isShort(from: now) }
        if ahead == 0, running.count < most { return 0 }
        return running.reduce(ahead) { $0 + $1.timeLeft(at: now) } / Double(most)
    }
}
