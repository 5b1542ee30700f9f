import NotificationModel

extension MediaFailure {
    static let shutDown = MediaFailure(.cancelled, "the fetcher was shut down")
}
