/// The executor on which large payloads are parsed, read, composed and written, one step at a time.
///
/// The cooperative pool has as many threads as the machine has cores. A payload of a few mebibytes occupies one of them
/// for tens of milliseconds. If each thread had such a payload, all other requests would wait that long.
package struct LargePayloadExecutor: Sendable {
    /// The size of the largest payload that is not large, in bytes. Most payloads have at most 4 KiB, the limit of push
    /// services.
    package static let threshold = 256 << 10

    /// The executor; `nil` means that large payloads are also processed on the cooperative pool.
    private let executor: (any TaskExecutor)?

    package init(_ executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// Returns the executor that tasks for a body prefer.
    ///
    /// - Parameter count: The size of the body, in bytes.
    /// - Returns: The executor; `nil` for the cooperative pool.
    package func executor(forBytes count: Int) -> (any TaskExecutor)? { count > Self.threshold ? executor : nil }
}
