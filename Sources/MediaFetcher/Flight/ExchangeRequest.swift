package import HTTPCaching
package import NotificationModel

/// A request that is to be answered as it is, and within which bounds.
package struct ExchangeRequest: Sendable {
    /// Its URL is judged like any other.
    package var request: OriginRequest
    package var deadline: MonotonicInstant
    /// Bytes of an answer's body, as it is on the wire; a longer one is refused.
    package var largestBody: Int
    /// Gives an empty file for a body; not called where the answer is stored.
    package var makeFile: @Sendable () throws(MediaFailure) -> MediaFile

    package init(
        _ request: OriginRequest, deadline: MonotonicInstant, largestBody: Int,
        makeFile: @escaping @Sendable () throws(MediaFailure) -> MediaFile
    ) {
        self.request = request
        self.deadline = deadline
        self.largestBody = largestBody
        self.makeFile = makeFile
    }
}
