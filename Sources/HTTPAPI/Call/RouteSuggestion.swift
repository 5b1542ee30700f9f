import NotificationModel

/// The suggestion of a similar path for a path that does not exist.
enum RouteSuggestion {
    /// The paths of the API. `{id}` stands for any segment.
    static let paths = [
        "/v1/notifications", "/v1/notifications/{id}", "/v1/notifications/{id}/events", "/v1/events", "/v1/status",
        "/v1/warm", "/v1/cache/purge", "/healthz", "/readyz", "/metrics",
    ]

    /// The maximum number of segments of a compared path. A longer path is not a spelling mistake.
    private static let mostSegments = 6

    /// Returns the sentence for an unknown path, with a suggestion if a path is similar.
    ///
    /// - Parameter segments: The segments of the unknown path.
    static func text(for segments: [String]) -> String {
        let known = paths.joined(separator: ", ")
        guard segments.count <= mostSegments, let near = nearest(to: segments) else {
            return "There is no such path. The paths are \(known)."
        }
        return "There is no such path. Did you mean \(near)? The paths are \(known)."
    }

    private static func nearest(to segments: [String]) -> String? {
        // An empty last segment comes from a superfluous slash.
        let called = segments.filter { !$0.isEmpty }
        guard !called.isEmpty else { return nil }
        for withoutVersion in [called, ["v1"] + called] {
            let candidates = paths.filter { template in
                let parts = template.split(separator: "/").map(String.init)
                return parts.count == withoutVersion.count
                    && zip(parts, withoutVersion).allSatisfy { part, segment in
                        part == "{id}" || part == segment
                            || NearestWord.related(to: segment, among: [part]) != nil
                    }
            }
            // A path without a placeholder is the more exact match.
            if let path = candidates.first(where: { !$0.contains("{") }) ?? candidates.first { return path }
        }
        return nil
    }
}
