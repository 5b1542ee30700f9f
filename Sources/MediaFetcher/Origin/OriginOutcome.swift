import HTTPCaching
import NotificationModel

/// What came of asking an origin.
///
/// An object, as it goes through many hands: a task keeps room for each copy of a large value that it may come by.
final class OriginOutcome: Sendable {
    /// An answer of any status, its body where it is a medium: all of it, or with a failure as much as came.
    let response: OriginResponse?
    /// `nil`: the response is whole.
    let failure: MediaFailure?

    init(response: OriginResponse? = nil, failure: MediaFailure? = nil) {
        self.response = response
        self.failure = failure
    }

    var result: Result<OriginResponse, MediaFailure> {
        if let response { return .success(response) }
        return .failure(failure ?? MediaFailure(.internal, "the origin was asked and nothing came of it"))
    }
}
