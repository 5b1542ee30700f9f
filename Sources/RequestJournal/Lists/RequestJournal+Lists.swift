package import NotificationModel

/// The lists of emitted notifications. They are read over a connection of their own, so that a long search delays
/// neither the requests nor the look-ups of receivers.
extension RequestJournal: NotificationListing {
    package nonisolated func list(_ query: ListQuery) async -> ListPage<ListedNotification>? {
        try? await listReader.readLists { try $0.page(query) }
    }

    package nonisolated func threads(_ query: ListQuery) async -> ListPage<ListedThread>? {
        try? await listReader.readLists { try $0.threads(query) }
    }

    package nonisolated func summary(_ query: ListQuery) async -> OutcomeSummary? {
        try? await listReader.readLists { try $0.summary(query) }
    }
}
