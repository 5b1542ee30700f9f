import JSON
import NotificationModel
import Primitives

/// The processing of the lines of one batch, while they arrive.
///
/// A line is read when its caller has its turn (``BatchTurns``), so a body of any size takes little memory. A line that
/// the daemon has no room for is tried again. A client that reads no results does not delay the lines, because their
/// results wait on the disk (``BatchResults``).
struct BatchRun: Sendable {
    /// The time after which a line that was refused for a while is tried again.
    private static let pause: Duration = .seconds(1)
    /// The time for which a line of a waiting client is tried again. A line of a stored batch has no such limit.
    private static let patience: Duration = .seconds(30)

    let intake: any RequestIntake
    let templates: any TemplateStoring
    let turns: BatchTurns
    let pace: BatchPace
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
            var template: SharedTemplate?
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
        _ entry: BatchReader.Entry, _ template: inout SharedTemplate?, _ group: inout DiscardingTaskGroup,
        _ done: Set<Int>
    ) async -> Bool {
        if case .template = entry.content {
            template = await storedTemplate(entry.bytes)
            return template != nil
        }
        guard !done.contains(entry.number) else { return true }
        if case .error(let error) = entry.content {
            await refuse(entry.number, error)
            return !isStopped
        }
        guard let units = BatchLimits.units(of: entry.bytes, most: turns.mostOfOwner) else {
            await refuse(entry.number, .tooComplex)
            return !isStopped
        }
        guard await turns.acquire(units, by: call.owner) else { return false }
        await pace.wait()
        guard !isStopped else {
            turns.release(units, by: call.owner)
            return false
        }
        let arrival = clock.reading
        group.addTask(executorPreference: large.executor(forBytes: entry.bytes.count)) { [template] in
            await process(entry, of: template, arrival)
            turns.release(units, by: call.owner)
        }
        return true
    }

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
            guard let content = try await content(of: submission) else {
                stored?.leaveOpen()
                return
            }
            await results.append(BatchLine.result(entry.number, content.json)) { $0.add(content) }
            lineCounts.addEmitted()
        } catch {
            await refuse(entry.number, error)
        }
    }

    /// Submits a request, and waits for its result.
    ///
    /// - Returns: `nil` if the batch is stopped before the request is accepted, if the caller has left, or if the daemon
    ///   ends. The next daemon submits the line of a stored batch again.
    private func content(of submission: Submission) async throws(BatchLineError) -> EmittedContent? {
        let end = submission.arrival.instant.advanced(by: Self.patience)
        while true {
            let admission = await intake.submit(submission)
            switch admission {
            case .emitted(let content): return content
            case .accepted(let key), .joined(let key):
                stored?.begin(key)
                defer { stored?.end(key) }
                // The batch may have been cancelled while the request was accepted.
                if stored?.isCancelled == true { _ = await intake.cancel(key) }
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
