package import Base
package import NotificationModel

/// The figures of the transfers from one host, or from several hosts together.
package struct HostFigures: Sendable, Equatable {
    /// The upper bounds of the buckets of ``times``, in seconds. Each bound is a series for each host, so they are few.
    static let bounds: [Double] = [0.1, 0.5, 1, 5, 10]

    /// The number of requests that were sent to the host.
    package var requests = 0
    /// The number of bytes of bodies, as transferred.
    package var bytes = 0
    /// The number of transfers whose response was not used, by reason. A status of 400 or more is `http-status`.
    package var failures: [DegradationReason: Int] = [:]
    /// The times from the begin of a request, with its name look-up, to the end of the response's headers.
    package var firstByte = DurationDistribution()
    /// The number of transfers in each bucket of their whole times. The last one is for times beyond all bounds.
    var times = [Int](repeating: 0, count: Self.bounds.count + 1)
    /// The sum of the whole times, in seconds.
    var seconds = 0.0

    package init() {}

    /// The number of failures that the host may have caused. A caller that stops waiting is not the host's failure.
    package var failed: Int { failures.reduce(0) { $1.key == .cancelled ? $0 : $0 + $1.value } }

    mutating func add(_ transfer: TransferTiming) {
        requests += 1
        bytes += transfer.wireBytes
        // A response with a status of an error is complete, and is of no use.
        let failure = transfer.failure ?? (transfer.status ?? 0 >= 400 ? .httpStatus : nil)
        if let failure { failures[failure, default: 0] += 1 }
        let parts = [transfer.dns, transfer.connect, transfer.tls, transfer.wait].compactMap(\.self)
        let waiting = parts.reduce(.zero, +)
        if transfer.status != nil { firstByte.add(waiting) }
        let time = (waiting + (transfer.body ?? .zero)).seconds
        times[Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count] += 1
        seconds += time
    }

    static func += (sum: inout HostFigures, other: HostFigures) {
        sum.requests += other.requests
        sum.bytes += other.bytes
        sum.failures.merge(other.failures, uniquingKeysWith: +)
        sum.firstByte += other.firstByte
        for bucket in sum.times.indices { sum.times[bucket] += other.times[bucket] }
        sum.seconds += other.seconds
    }

    /// The members of the figures in `GET /v1/hosts`.
    package var json: JSONObject {
        let reasons = failures.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        return [
            "requests": .number(requests), "bytes": .number(bytes), "failed": .number(failed),
            "failures": .object(JSONObject(reasons.map { ($0.key.rawValue, .number($0.value)) })),
            "firstByteMs": ["p50": firstByte.json(0.5), "p95": firstByte.json(0.95)],
        ]
    }
}
