import JSON

/// Payloads whose values take far more memory than their bytes.
package enum LargeValues {
    /// Bytes; a smaller payload has a small footprint, whatever its values are.
    private static let smallestPayload = 16 << 10
    /// Bytes that values may take beside the text of their payload without a lease.
    private static let threshold = 1 << 20

    /// Returns the estimated memory of a payload and its values, in bytes; `nil` if the values need no lease.
    ///
    /// A body of 3.9 MiB with 80,000 short members takes 25 MB. 16 such bodies at a time, for which
    /// `requests.largeBodyBytes` has room, took 393 MB.
    package static func footprint(of payload: [UInt8]) -> Int? {
        guard payload.count > smallestPayload else { return nil }
        let footprint = JSONFootprint.estimate(of: payload[...])
        return footprint - payload.count > threshold ? footprint : nil
    }
}
