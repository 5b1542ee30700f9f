import CoreMetrics

/// The metrics of HTTP requests, under the names that `/metrics` shows.
package enum HTTPMetrics {
    /// The help texts of the metrics, by the name of the metric.
    package static let meanings = [
        "appgroupd_http_requests_total": "HTTP calls, by call and by status of the response."
    ]

    /// Counts a response in `/metrics`.
    ///
    /// - Parameter route: The route of the request; `nil` if the route is unknown.
    /// - Parameter status: The status of the response; 499 if the client disconnected before it.
    static func count(_ route: Route?, status: Int) {
        Counter(
            label: "appgroupd_http_requests_total",
            dimensions: [("call", route?.name ?? "none"), ("status", "\(status)")]
        ).increment()
    }
}

extension Route {
    /// The name of the route in `/metrics`.
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
