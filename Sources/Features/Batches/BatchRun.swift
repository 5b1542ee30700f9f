import Base
import HTTPAPI
import NotificationModel

/// The processing of the lines of one batch, while they arrive.
///
/// A line is read when its caller has its turn (``BatchShares``), so a body of any size takes little memory. A line that
/// the daemon has no room for is tried again. The results wait on the disk, and a line waits until there is room
/// for its result (``BatchResults``).
struct BatchRun: Sendable {
    /// The template of a batch, with the memory that each of its recipients takes.
    private struct Template: Sendable {
        let shared: SharedTemplate
        let footprint: Int
    }

    /// The time after which a line that was refused for a while is tried again.
    private static let pause: Duration = .seconds(1)
    /// The time for which a line of a waiting client is tried again. A line of a stored batch has no such limit.
    private static let patience: Duration = .seconds(30)

    let intake: any RequestIntake
    let templates: any TemplateStoring
    let shares: BatchShares
    let pace: LinePace
    let limits: BatchLimits
    let large: LargePayloadExecutor
    let clock: any RequestClock
    let call: BatchCall
    let results: BatchResults
    let lineCounts: BatchLineCounts
    /// Returns the error of a line as a problem of RFC 9457.
    let problem: @Sendable (BatchLineError) -> JSONValue
    /// The stored batch; `nil` for a call whose requests without an id end with their caller.
    var stored: StoredBatch?

    /// Reads lines until the body ends or the task is cancelled, and returns when all of them have their results.
    ///
    /// - Parameter done: The lines that have a result already.
    /// - Returns: Whether all lines have been read.
    @concurrent func run(
        _ body: some AsyncSequence<[UInt8], any Error> & Sendable, without done: Set<Int> = []
    ) async -> Bool {
        await withDiscardingTaskGroup { group in
            var reader = BatchReader(limits: limits)
            var template: Template?
            do {
                for try await piece in body {
                    for entry in reader.read(piece) {
                        guard await take(entry, &template, &group, done) else { return false }
                    }
                    if reader.hasEnded { return true }
                }
            } catch {
                return false
            }
            for entry in reader.end() {
                guard await take(entry, &template, &group, done) else { return false }
            }
            return !isStopped
        }
    }

    /// Begins the work on a line when its caller has its turn.
    ///
    /// - Parameter template: The template of the batch in the journal.
    /// - Returns: Whether further lines are to be read.
    private func take(
        _ entry: BatchReader.Entry, _ template: inout Template?, _ group: inout DiscardingTaskGroup,
        _ done: Set<Int>
    ) async -> Bool {
        if case .template = entry.content {
            guard let shared = await storedTemplate(entry.bytes) else { return false }
            template = Template(shared: shared, footprint: BatchLimits.footprint(of: entry.bytes))
            return true
        }
        guard !done.contains(entry.number) else { return true }
        let reserved = BatchLimits.reservation(for: entry.bytes, of: template?.shared)
        var waitsSince: ClockReading?
        guard await reserve(reserved, &waitsSince) else { return false }
        let memory = template?.footprint ?? 0
        let units = BatchLimits.units(of: entry.bytes, with: memory, most: shares.maxOfOwner)
        if let error = entry.content.error ?? (units == nil ? .tooComplex : nil) {
            await refuse(entry.number, error)
            results.unreserve(reserved)
            return !isStopped
        }
        guard let units, await shares.acquire(units, by: call.owner, unless: stop) else {
            results.unreserve(reserved)
            return false
        }
        await pace.wait()
        guard !isStopped, stored?.begin(entry.number) ?? true else {
            shares.release(units, by: call.owner)
            results.unreserve(reserved)
            return !isStopped
        }
        let arrival = waitsSince ?? clock.reading
        group.addTask(executorPreference: large.executor(forBytes: entry.bytes.count + memory)) { [template] in
            await process(entry, of: template?.shared, arrival)
            stored?.end(entry.number)
            shares.release(units, by: call.owner)
            results.unreserve(reserved)
        }
        return true
    }

    /// Waits until there is room for the result of a line.
    ///
    /// - Parameter waitsSince: The time at which a line of a stored batch began to wait. Its budget includes the wait.
    /// - Returns: `false` if no further line is read.
    private func reserve(_ byteCount: Int, _ waitsSince: inout ClockReading?) async -> Bool {
        var waits = false
        let isReserved = await results.reserve(byteCount, unless: stop) {
            guard !waits else { return }
            waits = true
            if let stored {
                waitsSince = clock.reading
                stored.waits(forQuota: true)
            } else {
                call.waitsForReader(true)
            }
        }
        if waits { if let stored { stored.waits(forQuota: false) } else { call.waitsForReader(false) } }
        return isReserved
    }

    /// The event after which no further line is read.
    private var stop: AsyncEvent { stored?.stopping ?? call.stop }

    /// Whether no further line is read.
    private var isStopped: Bool { Task.isCancelled || call.stop.isSignalled || stored?.isStopped == true }

    /// Stores a template, and tries again while the disk accepts none.
    ///
    /// - Returns: `nil` if the batch is stopped.
    private func storedTemplate(_ line: [UInt8]) async -> SharedTemplate? {
        while !isStopped {
            if let template = await templates.store(line) { return template }
            await clock.sleep(until: clock.now.advanced(by: Self.pause))
        }
        return nil
    }

    /// Submits a line, waits for its result, and adds the result.
    private func process(_ entry: BatchReader.Entry, of template: SharedTemplate?, _ arrival: ClockReading) async {
        do throws(BatchLineError) {
            var submission = try entry.submission(of: call, at: arrival)
            submission.template = template
            submission.isBatched = true
            if let stored {
                submission.channel = .detached
                submission.weakID = stored.id(ofLine: entry.number)
            }
            guard let content = try await content(of: submission, entry.number) else {
                if stored?.isErased(entry.number) != true { stored?.leaveOpen() }
                return
            }
            let isErased = stored?.isErased(entry.number) ?? false
            let object = isErased ? Array(#"{"erased":true}"#.utf8) : content.json
            await results.append(BatchLine.result(entry.number, object)) { $0.add(content) }
            lineCounts.addEmitted()
        } catch {
            await refuse(entry.number, error)
        }
    }

    /// Submits a request, and waits for its result.
    ///
    /// - Returns: `nil` if the batch is stopped or the line erased before the request is accepted, if the caller has left,
    ///   or if the daemon ends. The next daemon submits the line of a stored batch again.
    private func content(
        of submission: Submission, _ number: Int
    ) async throws(BatchLineError) -> EmittedContent? {
        let end = submission.arrival.instant.advanced(by: Self.patience)
        while true {
            if stored?.isErased(number) == true { return nil }
            let admission = await intake.submit(submission)
            switch admission {
            case .emitted(let content): return content
            case .accepted(let key), .joined(let key):
                // The batch may have been cancelled, or the line erased, while the request was accepted.
                if stored?.accept(key, number) == true { _ = await intake.cancel(key) }
                if let content = await intake.content(of: key) { return content }
                guard stored == nil, !Task.isCancelled else { return nil }
                throw .refused(.closing)
            case .full, .groupFull, .failed:
                guard !isStopped else { return nil }
                guard clock.now < end || stored != nil else { throw .refused(admission) }
                await clock.sleep(until: clock.now.advanced(by: Self.pause))
            case .closing where stored != nil: return nil
            case .closing, .conflict, .unusable: throw .refused(admission)
            }
        }
    }

    private func refuse(_ number: Int, _ error: BatchLineError) async {
        await results.append(BatchLine.result(number, JSONWriter.bytes(of: ["error": problem(error)]))) {
            $0.addError()
        }
        lineCounts.addFailed()
    }
}
