package import NotificationModel
package import Primitives

/// The properties of a job that decide its position in the queue.
package struct TranscodeTerms: Sendable, Equatable {
    package var flow: TranscodeFlow
    /// The instant at which the job's renditions must be finished.
    package var deadline: MonotonicInstant
    /// The cost of all requested renditions, in microseconds at a pace of 1; 0 if it is unknown.
    package var cost: Double
    /// The cost of the cheapest rendition that may be made instead, in microseconds at a pace of 1. An example is the
    /// still image of a video.
    package var leastCost: Double
    /// Whether the costs are means of other hosts' jobs. Such a job is always tried, because its media item may be
    /// small.
    package var isTried: Bool
    /// Whether the job makes a still image from the first bytes of a download. The reservation of the whole file
    /// remains in addition.
    package var isPart: Bool
    /// Whether the job is for a video or sound whose cost is unknown.
    package var mayBeLong: Bool

    package init(
        flow: TranscodeFlow, deadline: MonotonicInstant, cost: Double = 0, leastCost: Double = 0,
        isTried: Bool = false, isPart: Bool = false, mayBeLong: Bool = false
    ) {
        self.flow = flow
        self.deadline = deadline
        self.cost = cost
        self.leastCost = leastCost
        self.isTried = isTried
        self.isPart = isPart
        self.mayBeLong = mayBeLong
    }

    /// The cost of the job for which there must be time before a worker starts it, at a pace of 1.
    var neededCost: Double { isTried ? 0 : leastCost }

    /// Whether the cheapest rendition is a still image that replaces a video. The still image takes a small part of the
    /// time, and there is no rendition with a cost between these two costs. An image, in contrast, is reduced only as
    /// far as the time requires.
    var hasStill: Bool { leastCost * 4 < cost }

    /// Returns the cost that the job can have before its own deadline, in microseconds at a pace of 1. A video that
    /// cannot be finished by then is replaced by its still image. An image takes all the time that is left.
    ///
    /// - Parameter instant: The earliest start of the job.
    /// - Parameter pace: The factor from a cost to a time.
    func possibleCost(from instant: MonotonicInstant, at pace: Double) -> Double {
        let left = max(0, instant.microseconds(to: deadline) / pace)
        return cost <= left ? cost : hasStill ? min(leastCost, left) : left
    }
}
