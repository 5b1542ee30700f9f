package import FoundationEssentials
package import NotificationModel
import Primitives

/// The lists of emitted notifications. They are read over a connection of their own, so that a long search delays
/// neither the requests nor the look-ups of receivers.
extension RequestJournal: NotificationListing {
    package nonisolated func reaches(_ date: Date) async -> Bool {
        let limits = limits.lists
        guard limits.most > 0 else { return false }
        let place = ListedNotification.place(of: date)
        let removed = ListedNotification.place(of: Date(timeIntervalSinceNow: -limits.retention.seconds))
        guard let (total, oldest) = try? await listReader.readLists({ try ($0.total(), $0.oldest()) }) else {
            return false
        }
        // The oldest notifications are removed together, so those since the oldest one are all there.
        return oldest.map { place >= $0 } ?? false || (total < limits.most && place >= removed)
    }

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
