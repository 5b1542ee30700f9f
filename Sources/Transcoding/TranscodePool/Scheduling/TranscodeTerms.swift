import Base
import NotificationModel

typealias JobID = UInt32

/// The properties of a job that decide its admission, its order and its start.
struct TranscodeTerms: Sendable, Equatable {
    /// The shortest time of a long job, in microseconds. An example of a long job is the encoding of a video.
    static let longJob = 1e6

    var flow: TranscodeFlow
    /// The instant at which the job's renditions must be finished.
    var deadline: MonotonicInstant
    /// The expected time of all requested renditions, in microseconds; 0 if it is unknown.
    var time = 0.0
    /// The expected time of the cheapest rendition that may be made instead, in microseconds; 0 if it is unknown. A
    /// worker starts the job only if there is this time. An example is the still image of a video.
    var minTime = 0.0

    /// Whether the cheapest rendition is a still image of a video. It takes a small part of the time, and there is no
    /// rendition with a time between these two times. An image is reduced only as far as the time requires.
    var hasStill: Bool { minTime * 4 < time }

    /// Returns the time that the job can take between its earliest start and its deadline, in microseconds. A video
    /// that cannot be finished by then is replaced by its still image. An image takes all the time that is left. With
    /// the whole times, idle workers refused six of eight videos with a budget of 500 ms.
    func possibleTime(from instant: MonotonicInstant) -> Double {
        let left = max(0, instant.microseconds(to: deadline))
        return time <= left ? time : hasStill ? min(minTime, left) : left
    }

    /// Returns whether a job that starts at this instant takes less than a second.
    func isShort(from instant: MonotonicInstant) -> Bool { possibleTime(from: instant) < Self.longJob }
}

extension TranscodeFlow {
    /// Whether the jobs prepare media for later notifications.
    var isWarming: Bool { priority <= MediaRank.warming }
}

/// A job from its reservation until its end.
struct PoolJob: Equatable {
    let id: JobID
    var terms: TranscodeTerms
    /// Whether the job's media item is downloaded. Otherwise, the job is a reservation.
    var isReady: Bool
    /// The instant of the reservation, or of the start on a worker.
    var since: MonotonicInstant
    /// The number of workers that have ended during this job before.
    var attempts = 0

    /// Returns whether the job, which a worker is running, is long. A job of unknown time is long after it has run for
    /// that time.
    func isLong(at now: MonotonicInstant) -> Bool {
        max(terms.possibleTime(from: since), since.microseconds(to: now)) >= TranscodeTerms.longJob
    }

    /// Returns the time until the end of the job, which a worker is running, in microseconds.
    func timeLeft(at now: MonotonicInstant) -> Double {
        let expected = terms.possibleTime(from: since) - since.microseconds(to: now)
        return max(0, min(expected, now.microseconds(to: terms.deadline)))
    }
}
