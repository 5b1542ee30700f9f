import JSON

/// The estimate of payloads whose values take far more memory than their bytes.
package enum LargeValues {
    /// The size of a payload, in bytes, up to which its values always take little memory.
    private static let smallestPayload = 16 << 10
    /// The number of bytes that values may take in addition to their payload's text without a lease.
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
