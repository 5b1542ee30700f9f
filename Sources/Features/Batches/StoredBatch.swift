import Base
import Digests
import FoundationEssentials
import LinuxIO
import NotificationModel

/// A batch on the disk: a directory with the body, the results, and the record of the batch.
///
/// The results of a line are complete before the line counts as done. After a restart, the lines without a result are
/// submitted again under the same ids, so the journal joins them with the requests that the earlier daemon accepted.
final class StoredBatch: Sendable {
    /// The facts about a batch, which are durable before the batch is accepted.
    struct Record: Sendable, Equatable {
        var id: RequestID
        var owner: String
        /// The groups that the caller may use; `nil` for all groups.
        var groups: [AppGroupName]?
        /// Whether the caller may report receipts.
        var mayReportReceipts = true
        var group: AppGroupName?
        var budgetMs: Int?
        /// The SHA-256 of the body, in hexadecimal digits.
        var fingerprint: String
        var createdAt: Date
        /// The names of the call that stored the batch.
        var trace = CallTrace()
        /// The time at which the last result was written; `nil` for an open batch.
        var endedAt: Date?
        var isCancelled = false
        /// Whether an erasure has cancelled the batch, because its template concerned the target.
        var isErased = false
        /// The counts of an ended batch, as its summary has them; `nil` for an open batch.
        var counts: JSONObject?
        /// The plan, which is stored at the end; `nil` until it is made.
        var plan: JSONValue?
    }

    private struct State {
        var record: Record
        /// The results of an open batch.
        var results: BatchResults?
        /// The lines that are being processed, by their numbers.
        var lines: [Int: Line] = [:]
        /// The numbers of erased lines. Their results are not kept.
        var erased = LineNumbers()
        /// Whether a line that was read has no result, because the daemon ends.
        var isLeftOpen = false
        /// Whether no line is read until the quota has room for its result.
        var waitsForQuota = false
    }

    /// A line that is being processed.
    struct Line {
        /// The accepted request without a result; `nil` until it is accepted.
        var key: RequestKey?
        let ended = AsyncEvent()
    }

    /// The path of the directory.
    let path: String
    /// The event that is signalled when the results of an earlier daemon have been read.
    let restored = AsyncEvent()
    /// The event that is signalled when the last result is written, or when the daemon ends.
    let ended = AsyncEvent()
    /// The event after which no further line is read, because the batch is cancelled or the daemon ends.
    let stopping = AsyncEvent()
    private let state: Guarded<State>

    /// - Parameter results: The results of an open batch; `nil` if the batch has ended.
    init(_ record: Record, path: String, results: BatchResults? = nil) {
        self.path = path
        state = Guarded(State(record: record, results: results))
    }

    var record: Record { state.withLock(\.record) }
    var results: BatchResults? { state.withLock(\.results) }
    var isStopped: Bool { stopping.isSignalled }
    var isCancelled: Bool { state.withLock(\.record.isCancelled) }

    var call: BatchCall {
        let record = record
        var call = BatchCall(
            owner: record.owner, groups: record.groups.map { .only(Set($0)) } ?? .all,
            mayReportReceipts: record.mayReportReceipts, group: record.group,
            budget: record.budgetMs.map { .milliseconds($0) })
        call.trace = record.trace
        return call
    }

    /// Returns the id of a line that names none. The next daemon finds the request by it.
    func id(ofLine number: Int) -> RequestID? {
        RequestID("batch-\(path.split(separator: "/").last?.prefix(16) ?? "")-\(number)")
    }

    // MARK: Changes

    /// Begins the work on a line.
    ///
    /// - Returns: `false` if the line is erased.
    func begin(_ number: Int) -> Bool {
        state.withLock { state in
            guard !state.erased.contains(number) else { return false }
            state.lines[number] = Line()
            return true
        }
    }

    /// Notes that the request of a line is accepted.
    ///
    /// - Returns: Whether the request is to be cancelled, because the batch is cancelled or the line is erased.
    func accept(_ key: RequestKey, _ number: Int) -> Bool {
        state.withLock { state in
            state.lines[number]?.key = key
            return state.record.isCancelled || state.erased.contains(number)
        }
    }

    func end(_ number: Int) { state.withLock { $0.lines.removeValue(forKey: number) }?.ended.signal() }

    func isErased(_ number: Int) -> Bool { state.withLock { $0.erased.contains(number) } }

    /// Marks lines as erased, so that they are not submitted and get no further results.
    ///
    /// - Returns: The lines of these that are being processed.
    func erase(_ numbers: LineNumbers) -> [Line] {
        state.withLock { state in
            guard state.record.endedAt == nil else { return [] }
            state.erased.formUnion(numbers)
            return state.lines.filter { numbers.contains($0.key) }.map(\.value)
        }
    }

    /// Removes the plan, which names URLs of erased lines. An open batch gets no other one.
    ///
    /// - Returns: Whether the batch had a plan.
    func removePlan() -> Bool { state.withLock { $0.record.plan.take() != nil } }

    /// Whether a line that was read is left to the next daemon.
    var isLeftOpen: Bool { state.withLock(\.isLeftOpen) }

    func leaveOpen() { state.withLock { $0.isLeftOpen = true } }

    func waits(forQuota isWaiting: Bool) { state.withLock { $0.waitsForQuota = isWaiting } }

    /// Ends the reading of lines.
    func stop() { stopping.signal() }

    /// The plan, made from the first lines; `nil` until it is made.
    var plan: JSONValue? {
        get { state.withLock(\.record.plan) }
        set { state.withLock { if $0.erased.isEmpty { $0.record.plan = newValue } } }
    }

    /// Marks an open batch as cancelled.
    ///
    /// - Parameter isErasing: Whether an erasure cancels the batch.
    /// - Returns: The requests to cancel; `nil` if the batch has ended.
    func cancel(erasing isErasing: Bool) -> [RequestKey]? {
        let running: [RequestKey]? = state.withLock { state in
            guard state.record.endedAt == nil else { return nil }
            state.record.isCancelled = true
            if isErasing { state.record.isErased = true }
            return state.lines.values.compactMap(\.key)
        }
        if running != nil { stop() }
        return running
    }

    /// Marks the batch as ended. Its results are read from the file from now on.
    func end(at date: Date) {
        state.withLock { state in
            state.record.endedAt = date
            state.record.counts = state.results?.tally.json
            (state.results, state.erased) = (nil, LineNumbers())
        }
    }

    // MARK: JSON

    /// The counts of the results so far.
    var counts: JSONObject {
        let (record, results) = state.withLock { ($0.record, $0.results) }
        return record.counts ?? results?.tally.json ?? BatchTally().json
    }

    /// The state of the batch for its caller.
    func json(retention: Duration) -> JSONObject {
        let (record, waitsForQuota) = state.withLock { ($0.record, $0.waitsForQuota) }
        let expiry = record.endedAt?.addingTimeInterval(retention.seconds)
        return [
            "id": .string(record.id.description),
            "state": .string(record.endedAt == nil ? "running" : record.isCancelled ? "cancelled" : "ended"),
            "reason": record.isErased ? "erased" : .null, "waitingFor": waitsForQuota ? "quota" : .null,
            "createdAt": .timestamp(record.createdAt), "endedAt": record.endedAt.map { .timestamp($0) } ?? .null,
            "expiresAt": expiry.map { .timestamp($0) } ?? .null, "plan": plan ?? .null, "counts": .object(counts),
            "results": .string("/v1/batches/\(record.id)/results"),
        ]
    }
}

extension StoredBatch.Record {
    var json: JSONValue {
        var members: JSONObject = [
            "id": .string(id.description), "owner": .string(owner),
            "groups": groups.map { .array($0.map { .string($0.description) }) } ?? .null,
            "receipts": .bool(mayReportReceipts),
            "group": .text(group?.description), "budgetMs": budgetMs.map { .number($0) } ?? .null,
            "fingerprint": .string(fingerprint), "createdAt": .number(createdAt.timeIntervalSince1970),
            "endedAt": endedAt.map { .number($0.timeIntervalSince1970) } ?? .null, "cancelled": .bool(isCancelled),
            "erased": .bool(isErased), "counts": counts.map { .object($0) } ?? .null, "plan": plan ?? .null,
        ]
        trace.add(to: &members)
        return .object(members)
    }

    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string.flatMap(RequestID.init), let owner = json["owner"]?.string,
            let fingerprint = json["fingerprint"]?.string, let created = json["createdAt"]?.double
        else { return nil }
        self.init(
            id: id, owner: owner, groups: json["groups"]?.array?.compactMap { $0.string.flatMap(AppGroupName.init) },
            mayReportReceipts: json["receipts"]?.bool ?? true,
            group: json["group"]?.string.flatMap(AppGroupName.init), budgetMs: json["budgetMs"]?.integer,
            fingerprint: fingerprint, createdAt: Date(timeIntervalSince1970: created),
            trace: CallTrace(json.object ?? [:]),
            endedAt: json["endedAt"]?.double.map { Date(timeIntervalSince1970: $0) },
            isCancelled: json["cancelled"]?.bool ?? false, isErased: json["erased"]?.bool ?? false,
            counts: json["counts"]?.object,
            plan: json["plan"]?.object.map { .object($0) })
    }
}
