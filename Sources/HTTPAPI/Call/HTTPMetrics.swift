import CoreMetrics

/// The numbers of HTTP calls, under the names that `/metrics` shows.
package enum HTTPMetrics {
    /// By name.
    package static let meanings = [
        "appgroupd_http_requests_total": "HTTP calls, by call and by status of the response."
    ]

    /// - Parameters:
    ///   - route: the route of the request; `nil` for an unknown route.
    ///   - status: the status of the response; 499 if the client left before it.
    static func count(_ route: Route?, status: Int) {
        Counter(
            label: "appgroupd_http_requests_total",
            dimensions: [("call", route?.name ?? "none"), ("status", "\(status)")]
        ).increment()
    }
}

extension Route {
    /// The name in `/metrics`.
    fileprivate var name: String {
        switch self {
        case .submit: "submit"
        case .look: "look"
        case .cancel, .cancelByProvider: "cancel"
        case .purge: "purge"
        case .warm: "warm"
        case .events, .requestEvents: "events"
        case .status: "status"
        case .health: "health"
        case .readiness: "readiness"
        case .metrics: "metrics"
        }
    }
}
