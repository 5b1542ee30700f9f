import Base
import LinuxIO
import NotificationModel

/// The rates of the last batches, from which a plan predicts the time of the next one.
final class BatchRates: Sendable {
    /// The beginning of a batch.
    struct Measurement: Sendable {
        let start: MonotonicInstant
        let processorTime = ProcessorTime.now

        init(at instant: MonotonicInstant) { start = instant }
    }

    /// The means of the last batches. Recent batches have more weight.
    struct Rates: Sendable, Equatable {
        /// The time of a batch divided by the number of its lines, without its media.
        var line: Duration?
        /// The processor time of the daemon for a line.
        var lineProcessorTime: Duration?
        /// The time from the request of a media item at its origin until its renditions are stored.
        var media: Duration?
        /// The part of `media` in workers.
        var mediaInWorkers: Duration?
        /// The size of a source, in bytes.
        var mediaBytes: Double?
    }

    /// The number of lines from which a batch is long enough for a measurement.
    private static let minLines = 100
    /// The weight of the newest batch in the mean.
    private static let weight = 0.3

    private let state = Guarded(Rates())

    var value: Rates { state.withLock(\.self) }

    /// Adds a batch that has ended. The processor time includes that of other requests at the same time.
    func add(_ measurement: Measurement, _ tally: BatchTally, at now: MonotonicInstant) {
        let processorTime = ProcessorTime.now - measurement.processorTime
        let work = tally.media
        state.withLock { rates in
            if tally.emitted >= Self.minLines {
                rates.line = Self.mean(rates.line, measurement.start.duration(to: now) / tally.emitted)
                rates.lineProcessorTime = Self.mean(rates.lineProcessorTime, processorTime / tally.emitted)
            }
            guard work.fetched.items > 0 else { return }
            rates.media = Self.mean(rates.media, work.preparation.whole / work.fetched.items)
            rates.mediaInWorkers = Self.mean(rates.mediaInWorkers, work.preparation.workers / work.fetched.items)
            let bytes = Double(work.fetched.bytes) / Double(work.fetched.items)
            rates.mediaBytes = rates.mediaBytes.map { $0 + Self.weight * (bytes - $0) } ?? bytes
        }
    }

    private static func mean(_ old: Duration?, _ new: Duration) -> Duration {
        old.map { $0 + (new - $0) * weight } ?? new
    }
}
