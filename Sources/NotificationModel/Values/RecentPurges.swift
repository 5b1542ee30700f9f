/// The purges of this process, so that media that were requested before a purge are not stored after it.
///
/// A purge is compared by its number and not by the time, which may jump. The last 64 are known by their targets. A request
/// that is older than those counts as purged: it costs a fetch.
package final class RecentPurges: Sendable {
    /// The number of purges before a request.
    package typealias Mark = Int

    private static let most = 64

    private struct State {
        var count = 0
        /// The last purges, the newest at the end.
        var targets: [@Sendable (String) -> Bool] = []
    }

    private let state = Guarded(State())

    package init() {}

    /// The mark of a request that begins now.
    package var mark: Mark { state.withLock { $0.count } }

    /// Notes a purge, before anything is removed.
    ///
    /// - Parameter isPurged: whether a URL is purged, as a payload writes it or as it is requested.
    package func note(_ isPurged: @escaping @Sendable (String) -> Bool) {
        state.withLock { state in
            state.count += 1
            state.targets.append(isPurged)
            if state.targets.count > Self.most { state.targets.removeFirst() }
        }
    }

    /// Returns whether one of some URLs has been purged since a request began.
    package func havePurged(_ urls: [String], since mark: Mark) -> Bool {
        let (count, targets) = state.withLock { ($0.count, $0.targets) }
        guard mark < count, !urls.isEmpty else { return false }
        guard count - mark <= targets.count else { return true }
        return targets.suffix(count - mark).contains { isPurged in urls.contains(where: isPurged) }
    }
}

/// The URLs that bytes come from, for purges.
package struct MediaOrigin: Sendable, Equatable {
    /// The URL of each hop, as it is requested, and the reference as the payload writes it; empty for media that were not
    /// fetched.
    package var urls: [String]
    /// The mark of the container when the request began.
    package var mark: RecentPurges.Mark

    package init(urls: [String] = [], mark: RecentPurges.Mark = 0) {
        self.urls = urls
        self.mark = mark
    }
}
