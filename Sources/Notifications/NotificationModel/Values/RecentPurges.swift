import Base

/// The purges of this process. Media that were requested before a purge must not be stored after the purge.
///
/// Purges are compared by number and not by time, because the clock may jump. The targets of the last 64 purges are
/// known. If a request is older than these purges, its media are treated as purged, and must be fetched again.
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

    /// Records a purge. The caller must call this function before it removes a file.
    ///
    /// - Parameter isPurged: A function that returns whether a URL of a payload or of a request is purged.
    package func note(_ isPurged: @escaping @Sendable (String) -> Bool) {
        state.withLock { state in
            state.count += 1
            state.targets.append(isPurged)
            if state.targets.count > Self.most { state.targets.removeFirst() }
        }
    }

    /// Returns whether at least one of the URLs has been purged since a request began.
    package func havePurged(_ urls: [String], since mark: Mark) -> Bool {
        let (count, targets) = state.withLock { ($0.count, $0.targets) }
        guard mark < count, !urls.isEmpty else { return false }
        guard count - mark <= targets.count else { return true }
        return targets.suffix(count - mark).contains { isPurged in urls.contains(where: isPurged) }
    }
}

/// The URLs from which the bytes of a media item came. Purges are compared with these URLs.
package struct MediaProvenance: Sendable, Equatable {
    /// The URL of each hop as it is requested, and the reference as the payload has it; empty without a fetch.
    package var urls: [String]
    /// The mark of the container when the request began.
    package var mark: RecentPurges.Mark

    package init(urls: [String] = [], mark: RecentPurges.Mark = 0) {
        self.urls = urls
        self.mark = mark
    }
}
