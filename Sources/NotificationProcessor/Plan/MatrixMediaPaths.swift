import Base
import FoundationEssentials

/// The paths at which homeservers have their content repositories, and the path at which each homeserver has answered.
package final class MatrixMediaPaths: Sendable {
    /// The paths in the order in which they are tried: the path that needs a token, the older path, and the path of SDN's
    /// SDK. A path that begins with `_` is below the root of the homeserver, and any other below `/_matrix/`.
    package static let standard = ["client/v1/media", "media/v3", "_api/media/r0"]

    /// The maximum number of homeservers whose path is kept.
    private static let maxKept = 1_024
    /// The time for which a path is kept, in seconds.
    private static let keepTime = 3_600.0

    private struct Kept {
        let path: String
        let until: Date
    }

    let paths: [String]
    private let kept = Guarded<[String: Kept]>([:])

    package init(_ paths: [String] = MatrixMediaPaths.standard) { self.paths = paths }

    /// Returns the paths in the order in which a homeserver is asked: first the one at which it has answered.
    ///
    /// - Parameter homeserver: The base URL of the homeserver, without a slash at its end.
    func ordered(for homeserver: String, at date: Date) -> [String] {
        guard let first = kept.withLock({ $0[homeserver] }), first.until > date else { return paths }
        return [first.path] + paths.filter { $0 != first.path }
    }

    /// Keeps the path at which a homeserver has answered. If the table is full, the paths that end first are removed.
    func keep(_ path: String, of homeserver: String, at date: Date) {
        kept.withLock { kept in
            if kept[homeserver] == nil, kept.count >= Self.maxKept {
                let last = kept.values.map(\.until).sorted()[kept.count / 4]
                kept = kept.filter { $0.value.until > last }
            }
            kept[homeserver] = Kept(path: path, until: date.addingTimeInterval(Self.keepTime))
        }
    }
}
