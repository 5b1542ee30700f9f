package import Base
package import LinuxIO

/// A request to an origin and its result: the durations of its parts, its connection, and the bytes.
///
/// A fetch has several timings if it follows redirects or tries again.
package struct TransferTiming: Sendable, Equatable {
    /// The origin without credentials, path and query: `https://cdn.example:8443`.
    package var origin: String
    /// The address of the connection; `nil` if no connection was opened.
    package var address: String?
    package var port: Int?
    /// The protocol `http/1.0`, `http/1.1` or `h2`; `nil` before a response.
    package var protocolName: String?
    /// Whether the connection had carried a request before.
    package var isReused = false
    /// Whether a second connection was opened for the request because the first did not respond. The times are those of
    /// the connection that ended first.
    package var isHedged = false
    package var dns: Duration?
    package var connect: Duration?
    package var tls: Duration?
    /// The time from the request to the end of the response's headers, or to the end of the transfer if there are none.
    package var wait: Duration?
    /// The time from the end of the response's headers to the end of the transfer.
    package var body: Duration?
    /// The bytes of the body, as transferred.
    package var wireBytes = 0
    /// The bytes of the body after decoding.
    package var bodyBytes = 0
    package var status: Int?
    /// The reason for which the response was not used; `nil` if it was used.
    package var failure: DegradationReason?
    /// Whether another request had begun the transfer, so that a sum over requests counts it there.
    package var isOfOther = false
    /// The record of the answer; `nil` if the daemon does not record requests.
    package var record: TransferRecord?

    package init(origin: String) { self.origin = origin }
}

extension TransferTiming {
    /// The JSON of the timing in verdicts. Parts that did not happen are `null`.
    package var json: JSONValue {
        [
            "origin": .string(origin),
            "address": .text(address),
            "port": port.map { .number(JSONNumber($0)) } ?? .null,
            "protocol": .text(protocolName),
            "reused": .bool(isReused),
            "hedged": .bool(isHedged),
            "dnsMs": Self.milliseconds(dns),
            "connectMs": Self.milliseconds(connect),
            "tlsMs": Self.milliseconds(tls),
            "waitMs": Self.milliseconds(wait),
            "bodyMs": Self.milliseconds(body),
            "wireBytes": .number(JSONNumber(wireBytes)),
            "bodyBytes": .number(JSONNumber(bodyBytes)),
            "status": status.map { .number(JSONNumber($0)) } ?? .null,
            "reason": .text(failure?.rawValue),
        ]
    }

    private static func milliseconds(_ duration: Duration?) -> JSONValue {
        duration.map { .number(.tenths(of: $0)) } ?? .null
    }
}

/// The record of a request to an origin, from which a laboratory can repeat the answer. It exists only while the daemon
/// records requests.
///
/// The record keeps the header fields of ``fields`` and no others, and a reference to the file with the body. The thread
/// of the transfer writes it, and any thread may read it.
package final class TransferRecord: Sendable, Equatable {
    /// The names of the header fields that are kept, in lower case. None of them has a secret, except for the query of
    /// a `Location`.
    package static let fields = ["content-type", "retry-after", "location"]
    /// The maximum length of the value of a field, in bytes. A longer value is left out.
    private static let maxField = 8_192

    /// The part of the response that has arrived.
    package struct Answer: Sendable {
        /// The values of the fields, by their names.
        package var fields: [String: String] = [:]
        /// The file with the decoded body, as far as it has arrived; `nil` before the first byte.
        package var file: MediaFile?
        /// The number of bytes of the body in the file.
        package var byteCount = 0
        /// The length of the whole body, in bytes; `nil` if the origin does not announce it.
        package var completeLength: Int?
        /// The time from the end of the headers to the last byte so far.
        package var active: Duration = .zero
        fileprivate var answeredAt: MonotonicInstant?
    }

    /// The URL of the request, with its query.
    package let url: String
    private let state = Guarded(Answer())

    package init(url: String) { self.url = url }

    package var answer: Answer { state.withLock { $0 } }

    /// Records that the headers of the response have arrived.
    ///
    /// - Parameter value: A function that returns the value of a field; `nil` if the response does not have it.
    package func answered(completeLength: Int?, at instant: MonotonicInstant, value: (String) -> String?) {
        let fields = Self.fields.compactMap { name in value(name).map { (name, $0) } }
            .filter { $0.1.utf8.count <= Self.maxField }
        state.withLock { answer in
            answer.fields = Dictionary(fields) { first, _ in first }
            answer.completeLength = completeLength
            answer.answeredAt = instant
        }
    }

    /// Records the bytes of the body that are in the file.
    package func received(_ file: MediaFile, byteCount: Int, at instant: MonotonicInstant) {
        state.withLock { answer in
            answer.file = file
            answer.byteCount = byteCount
            if let begin = answer.answeredAt { answer.active = max(.zero, begin.duration(to: instant)) }
        }
    }

    package static func == (one: TransferRecord, other: TransferRecord) -> Bool { one === other }
}

/// The timing of a request to an origin while the request runs. Any thread may read it at any time.
package final class LiveTransferTiming: Sendable {
    private struct State {
        var timing: TransferTiming
        var stage = StageName.connect
        var since: MonotonicInstant
    }

    private let state: Guarded<State>

    /// Creates the timing of a request that begins at the instant.
    ///
    /// - Parameter timing: The origin of the request and the time of the name resolution.
    package init(_ timing: TransferTiming, at instant: MonotonicInstant = .now) {
        state = Guarded(State(timing: timing, since: instant))
    }

    /// Records that the request is sent.
    ///
    /// - Parameter timing: The timing so far, with that of the connection.
    package func requested(over timing: TransferTiming, at instant: MonotonicInstant) {
        state.withLock { state in
            let isHedged = state.timing.isHedged
            state.timing = timing
            state.timing.isHedged = isHedged
            (state.stage, state.since) = (.wait, instant)
        }
    }

    /// Records that a second connection is opened for the request.
    package func hedged() { state.withLock { $0.timing.isHedged = true } }

    /// Records that the response's headers have arrived.
    ///
    /// - Parameter protocolName: The protocol as in `TransferTiming`.
    package func answered(_ status: Int, _ protocolName: String?, at instant: MonotonicInstant) {
        state.withLock { state in
            state.timing.wait = max(.zero, state.since.duration(to: instant))
            state.timing.status = status
            state.timing.protocolName = protocolName
            state.stage = .body
            state.since = instant
        }
    }

    /// Records the number of bytes of the body that have arrived, as transferred and as decoded.
    package func received(wireBytes: Int, bodyBytes: Int) {
        state.withLock { state in
            state.timing.wireBytes = wireBytes
            state.timing.bodyBytes = bodyBytes
        }
    }

    /// Returns the timing as if the request ended at the instant.
    package func timing(at instant: MonotonicInstant, failure: DegradationReason) -> TransferTiming {
        let state = state.withLock { $0 }
        var timing = state.timing
        timing.failure = failure
        let lasted = max(.zero, state.since.duration(to: instant))
        switch state.stage {
        case .wait: timing.wait = lasted
        case .body: timing.body = lasted
        default: timing.connect = lasted
        }
        return timing
    }
}

/// The progress of a download: an asynchronous sequence of the latest states.
///
/// The sequence has one reader. A slow reader misses states, but never the last one. The sequence ends with the fetch.
package final class FetchProgress: Sendable, AsyncSequence {
    package struct State: Sendable, Equatable {
        /// The number of decoded bytes that have arrived.
        package var receivedBytes: Int
        /// The size that the origin announces, in bytes; `nil` if it announces none, or if the body has a content
        /// coding.
        package var expectedBytes: Int?

        package init(receivedBytes: Int, expectedBytes: Int? = nil) {
            self.receivedBytes = receivedBytes
            self.expectedBytes = expectedBytes
        }
    }

    private let states: AsyncStream<State>
    private let teller: AsyncStream<State>.Continuation

    package init() { (states, teller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func tell(_ state: State) { teller.yield(state) }

    package func finish() { teller.finish() }

    package func makeAsyncIterator() -> AsyncStream<State>.Iterator { states.makeAsyncIterator() }
}
