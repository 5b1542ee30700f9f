import Base
import Digests
import FoundationEssentials
import NotificationModel

/// The slowest and the last failed requests of the last hour, for a bug report. They are in memory only.
///
/// The record has no texts and no names (`RequestSample`). For erasures, it has the digests of the recipient's and the
/// message's names. A scenario is made only for a request that enters the record, so it costs nothing for most requests.
final class RequestSamples: Sendable {
    /// The number of slow and of failed requests that a report has.
    static let most = 10
    /// The time after which a request leaves the record.
    static let memory: Duration = .seconds(3_600)
    /// The slowest requests of each slot of the hour are kept, so that the report has the slowest requests also when the
    /// slowest ones of an earlier slot have left.
    private static let slotLength: Duration = .seconds(600)
    /// The time between two failed requests that replace others, so that a flood of failures costs little.
    fileprivate static let pause: Duration = .seconds(1)

    fileprivate struct Sample {
        let key: RequestKey
        let marks: Marks
        let at: MonotonicInstant
        let elapsed: Duration
        /// The outcome and the reason.
        let kind: String
        let scenario: JSONValue

        /// The number of the slot of the hour in which the request was published.
        var slot: Int64 { RequestSamples.slot(of: at) }
    }

    fileprivate static func slot(of instant: MonotonicInstant) -> Int64 {
        origin.duration(to: instant).nanoseconds / slotLength.nanoseconds
    }

    /// The digests of the names by which an erasure finds a request.
    fileprivate struct Marks {
        let providerID: String?
        let thread: String?
        let recipients: Set<String>

        init(_ names: ListedNames?, _ request: NotificationRequest) {
            providerID = names?.providerID.map(Self.digest)
            thread = names?.thread.map(Self.digest)
            recipients = Set(request.recipientNames.union([names?.recipient].compactMap(\.self)).map(Self.digest))
        }

        static func digest(_ name: String) -> String { Hexadecimal.text(of: SHA256.hash(Array(name.utf8))) }
    }

    fileprivate struct State {
        var slowest: [Sample] = []
        var failed: [Sample] = []
        var lastReplacement: MonotonicInstant?
    }

    /// The instant from which slots are counted.
    private static let origin = MonotonicInstant.now

    private let state = Guarded(State())

    /// Takes a published result into the record if it is slow or failed.
    ///
    /// - Parameter elapsed: The time from the acceptance to the published result.
    func offer(
        _ content: EmittedContent, of request: InFlightRequest, elapsed: Duration, at now: MonotonicInstant,
        _ date: Date
    ) {
        let kind = "\(content.outcome.rawValue) \(content.reason?.rawValue ?? "")"
        let hasFailed = [.partial, .fallback, .expired, .rejected].contains(content.outcome)
        let (isSlow, isFailed) = state.withLock { state in
            state.forget(until: now)
            return (state.isSlow(elapsed, at: now), hasFailed && state.hasRoom(at: now))
        }
        guard isSlow || isFailed else { return }
        let sample = Sample(
            key: request.key, marks: Marks(content.facts?.names, request.planned.request), at: now,
            elapsed: elapsed, kind: kind,
            scenario: RequestSample.json(of: content, elapsed: elapsed, at: date))
        state.withLock { state in
            if isSlow { state.addSlow(sample) }
            if isFailed { state.addFailed(sample) }
        }
    }

    /// Removes the requests that an erasure concerns.
    func erase(_ step: ErasureStep) {
        let recipients = Set(step.recipientNames.map(Marks.digest))
        let name = Marks.digest(step.target.name)
        state.withLock { state in
            let isErased: (Sample) -> Bool = { sample in
                guard sample.key.group == step.target.group else { return false }
                guard !step.keys.contains(sample.key) else { return true }
                return switch step.target.kind {
                case .id: sample.key.id.description == step.target.name
                case .providerID: sample.marks.providerID == name
                case .thread: sample.marks.thread == name
                case .recipient: !sample.marks.recipients.isDisjoint(with: recipients)
                case .group: true
                }
            }
            state.slowest.removeAll(where: isErased)
            state.failed.removeAll(where: isErased)
        }
    }

    /// Returns the slowest requests, the slowest one first, and the failed requests, the newest one first.
    func json(at now: MonotonicInstant) -> JSONValue {
        let (slowest, failed) = state.withLock { state in
            state.forget(until: now)
            return (state.slowest, state.failed)
        }
        return [
            "hours": 1,
            "slowest": .array(slowest.sorted { $0.elapsed > $1.elapsed }.prefix(Self.most).map(\.scenario)),
            "failed": .array(failed.reversed().map(\.scenario)),
        ]
    }
}

extension RequestSamples.State {
    mutating func forget(until now: MonotonicInstant) {
        // Both lists are in the order of time.
        let isOld: (RequestSamples.Sample) -> Bool = { $0.at.duration(to: now) >= RequestSamples.memory }
        if let first = slowest.first, isOld(first) { slowest.removeAll(where: isOld) }
        if let first = failed.first, isOld(first) { failed.removeAll(where: isOld) }
    }

    /// Returns whether a request is among the slowest ones of its slot.
    func isSlow(_ elapsed: Duration, at now: MonotonicInstant) -> Bool {
        let slot = RequestSamples.slot(of: now)
        var count = 0
        for sample in slowest where sample.slot == slot {
            if sample.elapsed < elapsed { return true }
            count += 1
        }
        return count < RequestSamples.most
    }

    mutating func addSlow(_ sample: RequestSamples.Sample) {
        slowest.append(sample)
        let others = slowest.indices.filter { slowest[$0].slot == sample.slot }
        guard others.count > RequestSamples.most,
            let fastest = others.min(by: { slowest[$0].elapsed < slowest[$1].elapsed })
        else { return }
        slowest.remove(at: fastest)
    }

    /// Returns whether a failed request enters the record. If the record is full, one request enters each second.
    func hasRoom(at now: MonotonicInstant) -> Bool {
        guard failed.count >= RequestSamples.most, let last = lastReplacement else { return true }
        return last.duration(to: now) >= RequestSamples.pause
    }

    /// Adds a failed request. It replaces the oldest request of the kind that occurs most often, so that a rare failure
    /// stays beside a frequent one.
    mutating func addFailed(_ sample: RequestSamples.Sample) {
        failed.append(sample)
        guard failed.count > RequestSamples.most else { return }
        lastReplacement = sample.at
        let counts = failed.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        if let oldest = failed.firstIndex(where: { counts[$0.kind] == most }) { failed.remove(at: oldest) }
    }
}
