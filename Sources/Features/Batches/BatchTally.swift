import Base
import NotificationModel
import Synchronization

/// The counts of a batch, for its summary and its state.
struct BatchTally: Sendable, Equatable {
    /// The number of lines that have a result or an error.
    private(set) var lines = 0
    private(set) var outcomes: [Outcome: Int] = [:]
    private(set) var reasons: [DegradationReason: Int] = [:]
    /// The number of lines without a request.
    private(set) var errors = 0
    private(set) var media = MediaWork()

    mutating func add(_ content: EmittedContent) {
        lines += 1
        outcomes[content.outcome, default: 0] += 1
        if let reason = content.reason { reasons[reason, default: 0] += 1 }
        if let facts = content.facts { media += facts.media }
    }

    mutating func addError() {
        lines += 1
        errors += 1
    }

    /// The number of requests with a result.
    var emitted: Int { lines - errors }

    var json: JSONObject {
        [
            "lines": .number(lines), "errors": .number(errors), "outcomes": Self.json(outcomes),
            "reasons": Self.json(reasons), "originFetches": .number(media.originFetches),
            "bytesSaved": .number(media.bytesSaved),
        ]
    }

    init() {}

    /// Adds the line of an earlier daemon to the counts. The work of its media is not known.
    mutating func add(line: JSONObject) {
        guard let outcome = line["outcome"]?.string.flatMap(Outcome.init) else { return addError() }
        lines += 1
        outcomes[outcome, default: 0] += 1
        if let reason = line["reason"]?.string.flatMap(DegradationReason.init) { reasons[reason, default: 0] += 1 }
    }

    private static func json<Name: RawRepresentable<String> & Hashable>(_ counts: [Name: Int]) -> JSONValue {
        .object(
            JSONObject(counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .number($0.value)) })
        )
    }
}

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
