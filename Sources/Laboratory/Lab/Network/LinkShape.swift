import Base

/// The properties of a network link between an origin and its clients.
package struct LinkShape: Sendable, Equatable {
    /// Outages that come again and again, as in a train that passes tunnels.
    package struct Outage: Sendable, Equatable {
        package var length: Duration
        /// The time from the begin of an outage to the begin of the next one. Each outage is at the end of a period.
        package var period: Duration

        package init(length: Duration, period: Duration) {
            self.length = length
            self.period = period
        }
    }

    /// The number of body bytes per second, over all connections; `nil` if it is not limited.
    package var bytesPerSecond: Int?
    /// The time of a round trip.
    package var latency: Duration
    package var outage: Outage?
    /// Whether the first connection never carries a byte.
    package var losesFirstConnection: Bool

    package init(
        bytesPerSecond: Int? = nil, latency: Duration = .zero, outage: Outage? = nil, losesFirstConnection: Bool = false
    ) {
        self.bytesPerSecond = bytesPerSecond
        self.latency = latency
        self.outage = outage
        self.losesFirstConnection = losesFirstConnection
    }

    /// The links that a scenario names, in the order of the documentation.
    package static let named: KeyValuePairs<String, LinkShape> = [
        "3g": LinkShape(bytesPerSecond: 200_000, latency: .milliseconds(150)),
        "lte": LinkShape(bytesPerSecond: 1_500_000, latency: .milliseconds(50)),
        "wifi": LinkShape(bytesPerSecond: 6_250_000, latency: .milliseconds(10)),
        "train": LinkShape(
            bytesPerSecond: 1_500_000, latency: .milliseconds(50),
            outage: Outage(length: .seconds(3), period: .seconds(20))),
    ]

    /// Returns the time to wait for the end of an outage, at a time since the link was made.
    package func remainingOutage(at time: Duration) -> Duration {
        guard let outage, outage.period > .zero else { return .zero }
        let nanoseconds = time.nanoseconds % outage.period.nanoseconds
        let rest = outage.period - .nanoseconds(nanoseconds)
        return rest <= outage.length ? rest : .zero
    }
}
