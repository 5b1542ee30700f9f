import Base
import CoreMetrics

/// The metrics of HTTP requests, under the names that `/metrics` shows.
package enum HTTPMetrics {
    /// The help texts of the metrics, by the name of the metric.
    package static let meanings = [
        "appgroupd_http_requests_total": "HTTP calls, by call and by status of the response.",
        "appgroupd_http_request_seconds": "Time from the head of a request to the end of its response, by call.",
    ]

    private struct Series: Hashable {
        let call: String
        let status: Int
    }

    /// The meters of the calls with one status. Calls of all statuses share a timer.
    private struct Meters {
        let counter: Counter
        let timer: Timer

        init(_ series: Series) {
            counter = Counter(
                label: "appgroupd_http_requests_total",
                dimensions: [("call", series.call), ("status", "\(series.status)")])
            timer = Timer(label: "appgroupd_http_request_seconds", dimensions: [("call", series.call)])
        }
    }

    /// The meters of the responses so far. The routes and the statuses are few.
    private static let meters = Guarded<[Series: Meters]>([:])

    /// Counts a response in `/metrics`.
    ///
    /// - Parameter routeName: The name of the route; `nil` if the request has no route.
    /// - Parameter status: The status of the response; 499 if the client disconnected before it.
    /// - Parameter time: The time of the call, until the end of its response.
    static func count(_ routeName: String?, status: Int, after time: Duration) {
        let series = Series(call: routeName ?? "none", status: status)
        let used = meters.withLock { meters in
            if let known = meters[series] { return known }
            let made = Meters(series)
            meters[series] = made
            return made
        }
        used.counter.increment()
        used.timer.recordNanoseconds(time.nanoseconds)
    }
}
