import Base

/// The executor on which large payloads are parsed, read, composed and written, one step at a time.
///
/// The cooperative pool has as many threads as the machine has cores. A payload of a few mebibytes occupies one of them
/// for tens of milliseconds. If each thread had such a payload, all other requests would wait for this time.
package struct LargePayloadExecutor: Sendable {
    /// The maximum size of a payload that is not treated as large, in bytes. Push services accept at most 4 KiB.
    package static let threshold = 256 << 10

    /// The executor; `nil` means that large payloads are also processed on the cooperative pool.
    private let executor: (any TaskExecutor)?

    package init(_ executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// Returns the executor that tasks for a body prefer.
    ///
    /// - Parameter count: The size of the body, in bytes.
    /// - Returns: The executor; `nil` if the tasks run on the cooperative pool.
    package func executor(forBytes count: Int) -> (any TaskExecutor)? { count > Self.threshold ? executor : nil }
}

/// The estimate of payloads whose values take far more memory than their bytes.
package enum LargeValues {
    /// The size of a payload, in bytes, up to which its values always take little memory.
    private static let smallestPayload = 16 << 10
    /// The number of bytes that the values of a payload may take without a lease, in addition to its text.
    private static let threshold = 1 << 20

    /// Returns the estimated memory of a payload and its values, in bytes; `nil` if the values need no lease.
    ///
    /// A body of 3.9 MiB with 80,000 short members takes 25 MB. `requests.largeBodyBytes` admits 16 such bodies at a
    /// time, which took 393 MB.
    package static func footprint(of payload: [UInt8]) -> Int? {
        guard payload.count > smallestPayload else { return nil }
        let footprint = JSONFootprint.estimate(of: payload[...])
        return footprint - payload.count > threshold ? footprint : nil
    }
}
