import NotificationModel

/// What an origin is asked on behalf of: the rules in force, and what those who wait for it want told.
struct Errand: Sendable {
    enum Purpose: Sendable, Equatable {
        /// Asked as often as it is worth it, and hosts that keep failing are left alone.
        case medium
        /// Asked once, whatever is answered, with a body of so many bytes at most.
        case exchange(largest: Int)
    }

    var policy: FetchPolicy
    var purpose = Purpose.medium
    var trace: FlightTrace
    var progress: (@Sendable (FetchProgress.State) -> Void)?
    /// Of the longest budget among those who wait.
    var remaining: @Sendable () -> Duration
    var makeFile: @Sendable () throws(MediaFailure) -> MediaFile
}
