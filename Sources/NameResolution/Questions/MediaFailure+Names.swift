package import NotificationModel

extension MediaFailure {
    /// Who was asked knows that there is none.
    package static let noSuchName = MediaFailure(.dnsFailed, "the host's name does not exist")
    static let resolverClosed = MediaFailure(.cancelled, "the resolver of names was shut down")
    static let tooManyNames = MediaFailure(.overloaded, "too many names are being resolved; the name servers are slow")
    static let noHostName = MediaFailure(
        .dnsFailed, "the URL's host is no name that DNS knows: letters, digits, hyphens and dots are")
}
