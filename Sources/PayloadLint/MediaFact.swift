package import NotificationModel

/// What fetching one medium found.
package enum MediaFact: Sendable, Equatable {
    case failed(MediaFailure)
    /// - Parameters:
    ///   - format: by the first bytes; `nil`: none that is known.
    ///   - declaredType: the origin's `Content-Type`, where it has one.
    case fetched(byteCount: Int, format: MediaFormat?, declaredType: String?)
}
