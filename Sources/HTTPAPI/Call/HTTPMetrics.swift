import CoreMetrics

/// The metrics of HTTP requests, under the names that `/metrics` shows.
package enum HTTPMetrics {
    /// The help texts of the metrics, by the name of the metric.
    package static let meanings = [
        "appgroupd_http_requests_total": "HTTP calls, by call and by status of the response."
    ]

    /// Counts a response in `/metrics`.
    ///
    /// - Parameter routeName: The name of the route; `nil` if the request has no route.
    /// - Parameter status: The status of the response; 499 if the client disconnected before it.
    static func count(_ routeName: String?, status: Int) {
        Counter(
            label: "appgroupd_http_requests_total",
            dimensions: [("call", routeName ?? "none"), ("status", "\(status)")]
        ).increment()
    }
}
