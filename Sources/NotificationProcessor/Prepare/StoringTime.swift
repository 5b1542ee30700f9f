import NotificationModel

/// How long renditions take into the container: two or three files and their names, synced. Pure.
///
/// A disk that is busy takes ten times as long as one that is not, and a transcode that leaves no time for it is lost.
struct StoringTime {
    /// Weight of one storing in the mean.
    private static let share = 0.1
    /// What is usual, and assumed until something was stored.
    private static let least = Duration.milliseconds(20)

    private var mean = Duration.zero

    mutating func note(_ time: Duration) { mean += (time - mean) * Self.share }

    /// What of a time is to be left for it: twice the mean, and at most a quarter.
    func reserve(of time: Duration) -> Duration { max(.zero, min(max(Self.least, mean * 2), time / 4)) }
}
