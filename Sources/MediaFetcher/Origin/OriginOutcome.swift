import HTTPCaching
import NotificationModel

/// What came of asking an origin.
struct OriginOutcome: Sendable {
    /// An answer of any status, its body where it is a medium: all of it, or with a failure as much as came.
    var response: OriginResponse?
    /// `nil`: the response is whole.
    var failure: MediaFailure?

    var result: Result<OriginResponse, MediaFailure> {
        if let response { return .success(response) }
        return .failure(failure ?? MediaFailure(.internal, "the origin was asked and nothing came of it"))
    }
}
