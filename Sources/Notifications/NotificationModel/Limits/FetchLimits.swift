package import Base

/// The limits of one fetch. The budget of the request limits all of them.
package struct FetchLimits: Sendable, Equatable {
    package var redirects = 5
    /// The maximum number of addresses of a host that are tried. The other addresses are validated too.
    package var addresses = 8
    /// The maximum time from the start to the connection, including TLS.
    package var connect: Duration = .seconds(5)
    /// The maximum time from the request to the first byte of the response.
    package var firstByte: Duration = .seconds(10)
    /// The time without any received byte, after which a transfer fails.
    package var idle: Duration = .seconds(10)
    /// The time without any received byte, after which a stalled transfer gives its permit to another transfer.
    package var stallThreshold: Duration = .seconds(1)
    /// The time without any received byte, after which a second connection races the transfer; `nil` if none does.
    package var hedgeAfter: Duration? = .seconds(1)
    /// The pause before the first retry. The pause before the second retry is twice as long.
    package var retryPause: Duration = .milliseconds(100)
    /// The maximum size of the response headers, including interim responses, in bytes.
    package var headBytes = 131_072
    /// The maximum number of header lines. libcurl compares all fields, which takes seconds for tens of thousands.
    package var headLines = 1_000
    /// The maximum size of a decoded body, in bytes. The first bytes show the kind of the media item, and an unknown
    /// kind has the greatest of the three limits.
    package var imageBytes = MediaKind.image.maxSourceBytes
    package var soundBytes = MediaKind.sound.maxSourceBytes
    package var videoBytes = MediaKind.video.maxSourceBytes
    /// The maximum number of active transfers, in total.
    package var connections = 256
    /// The maximum number of connections, including those in use, beyond which an idle connection is closed. `nil`
    /// means the maximum number of transfers.
    package var keptConnections: Int?
    package var connectionsPerHost = 16
    /// The maximum number of stalled transfers, in addition to the active ones. They have connections, but no permit.
    package var stalled = 1_024
    package var stalledPerHost = 64
    /// The maximum number of validations of stale responses at a time. Further ones are left to the next use.
    package var validations = 64
    /// Whether the circuit breaker is on: hosts that keep failing get no transfers for a while.
    package var circuitBreaker = true

    package init() {}

    /// The maximum size of a media item of any kind, in bytes.
    package var largest: Int { max(imageBytes, soundBytes, videoBytes) }

    /// Returns the maximum size of a media item, in bytes.
    ///
    /// - Parameter mediaKind: the kind of the media item; `nil` if it is unknown.
    package func cap(of mediaKind: MediaKind?) -> Int {
        switch mediaKind {
        case .image: imageBytes
        case .sound: soundBytes
        case .video: videoBytes
        case nil: largest
        }
    }
}

/// The settings of a resolver: its name servers, its timeouts and the limits of its cache.
package struct ResolverSettings: Sendable, Equatable {
    /// The name servers in the order in which they are asked, each `address:port`, `[address]:port` or an address. If
    /// the list is empty, each query reads the name servers from /etc/resolv.conf.
    package var nameservers: [String] = []
    /// The time that one server has for one answer, 1 ms to 60 s. The time doubles with each round through the servers.
    package var queryTimeout: Duration = .seconds(2)
    /// The number of rounds through the servers, 1 to 10. By default, an unanswered name fails after 6 s per server.
    package var tries = 2
    /// The maximum number of names that are resolved at a time, each with one socket for each asked server.
    package var questions = 256
    /// The maximum number of names in the cache, which stores both addresses and failures.
    package var cacheLimit = 1_024
    /// The upper limit of a TTL: a longer TTL of a name server is reduced to this value.
    package var maxTTL: Duration = .seconds(60)

    package init() {}
}
