import CoreMetrics
import Primitives

/// The metrics of HTTP requests, under the names that `/metrics` shows.
package enum HTTPMetrics {
    /// The help texts of the metrics, by the name of the metric.
    package static let meanings = [
        "appgroupd_http_requests_total": "HTTP calls, by call and by status of the response."
    ]

    private struct Series: Hashable {
        let call: String
        let status: Int
    }

    /// The counters of the responses so far. The routes and the statuses are few.
    private static let counters = Guarded<[Series: Counter]>([:])

    /// Counts a response in `/metrics`.
    ///
    /// - Parameter routeName: The name of the route; `nil` if the request has no route.
    /// - Parameter status: The status of the response; 499 if the client disconnected before it.
    static func count(_ routeName: String?, status: Int) {
        let series = Series(call: routeName ?? "none", status: status)
        let counter = counters.withLock { counters in
            if let counter = counters[series] { return counter }
            let counter = Counter(
                label: "appgroupd_http_requests_total",
                dimensions: [("call", series.call), ("status", "\(status)")])
            counters[series] = counter
            return counter
        }
        counter.increment()
    }
}
