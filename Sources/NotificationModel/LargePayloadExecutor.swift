/// Where large payloads are parsed, read, composed and written: on an executor of their own, one step after the other.
///
/// The cooperative pool has as many threads as the machine has cores. A payload of a few mebibytes keeps one of them for
/// tens of milliseconds, and as many such payloads as there are threads would keep every other request waiting for so
/// long.
package struct LargePayloadExecutor: Sendable {
    /// Bytes; what is longer is large. Everyday payloads have 4 KiB at most, for push services take no more.
    package static let threshold = 256 << 10

    /// `nil`: the pool has them too.
    private let executor: (any TaskExecutor)?

    package init(_ executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// - Parameter count: bytes of the body.
    /// - Returns: what tasks prefer that are about it; `nil` for the pool.
    package func executor(forBytes count: Int) -> (any TaskExecutor)? { count > Self.threshold ? executor : nil }
}
