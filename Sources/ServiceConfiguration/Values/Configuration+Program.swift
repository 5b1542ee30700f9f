extension Configuration {
    package struct Log: Sendable {
        package enum Level: String, Sendable, CaseIterable { case trace, debug, info, notice, warning, error }
        package enum Format: String, Sendable, CaseIterable { case auto, text, json }

        package var level = Level.info
        package var format = Format.auto
    }

    package struct Requests: Sendable {
        package var inFlight = 1_024
        package var queued = 16_384
        /// Bytes of one request's body over HTTP.
        package var bodyBytes = 4 << 20
        /// Bytes of all large payloads together, from their reading to their results.
        package var largeBodyBytes = 64 << 20
    }

    package struct Results: Sendable {
        package var retention: Duration = .days(7)
        /// Bytes of all results that are kept.
        package var quota = 1 << 30
    }

    package struct Files: Sendable {
        /// A name or number; `nil` leaves files to the group of the process.
        package var group: String?
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
