import NotificationModel
import Primitives

/// The suggestion of a similar path for a path that does not exist.
enum RouteSuggestion {
    /// The maximum number of segments of a compared path. A longer path is not a spelling mistake.
    private static let mostSegments = 6

    /// Returns the sentence for an unknown path, with a suggestion if a path is similar.
    ///
    /// - Parameter segments: The segments of the unknown path.
    static func text(for segments: [String]) -> String {
        let known = RouteTable.paths.map(\.description).joined(separator: ", ")
        guard segments.count <= mostSegments, let near = nearest(to: segments) else {
            return "There is no such path. The paths are \(known)."
        }
        return "There is no such path. Did you mean \(near)? The paths are \(known)."
    }

    private static func nearest(to segments: [String]) -> PathPattern? {
        // An empty last segment comes from a superfluous slash.
        let called = segments.filter { !$0.isEmpty }
        guard !called.isEmpty else { return nil }
        for withoutVersion in [called, ["v1"] + called] {
            let candidates = RouteTable.paths.filter { path in
                path.matches(withoutVersion) { $0 == $1 || NearestWord.related(to: $1, among: [$0]) != nil }
            }
            // A path without a parameter is the more exact match.
            if let path = candidates.min(by: { !$0.hasParameter && $1.hasParameter }) { return path }
        }
        return nil
    }
}
