import Synchronization

/// The numbers of the batches of a daemon, for its metrics.
package struct BatchFigures: Sendable, Equatable {
    /// The number of stored batches that have not ended.
    package var open: Int
    /// The number of stored batches that have ended, and whose results are kept.
    package var ended: Int
    /// The number of bytes of all stored batches.
    package var byteCount: Int
    /// The number of lines with a result since the start.
    package var emittedLines: Int
    /// The number of lines without a request since the start.
    package var failedLines: Int
}

/// The counts of lines of all batches since the start, which all batches share.
final class BatchLineCounts: Sendable {
    private let emittedLines = Atomic(0)
    private let failedLines = Atomic(0)

    var emitted: Int { emittedLines.load(ordering: .relaxed) }
    var failed: Int { failedLines.load(ordering: .relaxed) }

    func addEmitted() { emittedLines.wrappingAdd(1, ordering: .relaxed) }
    func addFailed() { failedLines.wrappingAdd(1, ordering: .relaxed) }
}
