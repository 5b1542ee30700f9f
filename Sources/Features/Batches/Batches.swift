package import Base
import Digests
import FoundationEssentials
import HTTPAPI
package import LinuxIO
package import Logging
package import NotificationModel
import ServiceLifecycle

/// The batches of requests: bodies with one request in each line, and campaigns of one template for many recipients.
///
/// **Input.** A body that arrives in pieces, from a caller that waits or for later. Each line goes to `RequestIntake`
/// like a call of its own, so that it is accepted and emitted exactly once.
///
/// **Output.** A line for each line of the body, in the order in which the requests end, and a summary. A caller that
/// waits reads them from a file while they are written. Otherwise, the results stay on the disk for
/// ``Settings/retention`` after the batch has ended.
///
/// **Refused.** A line that is no request has an error, and the other lines continue. ``BatchLimits`` bounds lines and
/// bodies, ``Settings`` the stored batches, and ``BatchShares`` the lines in progress.
///
/// **Threads.** Lines are processed on the cooperative pool, large ones on the `LargePayloadExecutor`. Files are written
/// on the thread that the caller passes.
///
/// **Cancellation.** A cancelled call reads no further lines, and its requests without an id are cancelled. At the
/// graceful shutdown no stored batch reads further lines. The next daemon continues after the lines with a result.
///
/// To add a new option of batches, do this: write its `Parameter` in `BatchOptions.swift`, name it in the `parameters`
/// of its route in `BatchRoutes`, and read it in the initializer of `BatchOptions`. `docs/schema/openapi.json` follows
/// with `REWRITE_GOLDENS=1`. If a stored batch needs the option after a restart, `StoredBatch.Record` has it.
package final class Batches: BatchIntake, Service {
    package struct Settings: Sendable {
        package var limits: BatchLimits
        /// The number of bytes of all stored batches and their results (`batches.quota`).
        package var quota: Int
        /// The number of bytes of results that wait for the clients of running calls (`batches.maxScratch`).
        package var maxScratch = 256 << 20
        /// The time for which the results of an ended batch are kept.
        package var retention: Duration
        /// The maximum number of batches of one caller that have not ended.
        package var maxOpen = 64
        /// The maximum number of stored batches of all callers.
        package var maxStored = 1_024
    }

    private struct State {
        /// The stored batches, by their paths.
        var batches: [String: StoredBatch] = [:]
        var isClosing = false
    }

    /// The number of lines of a stored batch from which its plan is made.
    private static let maxPlanned = 1_000

    private let intake: any RequestIntake
    private let templates: any TemplateStoring
    private let planner: any BatchPlanning
    private let shares: BatchShares
    /// The space of stored batches and their results. A caller can have three quarters of it, so that no caller stops the
    /// batches of all others.
    private let stored: ByteShares
    /// The space of results that wait for the clients of running calls. A caller can have a quarter of it.
    private let scratch: ByteShares
    let directory: BatchDirectory
    private let settings: Settings
    private let large: LargePayloadExecutor
    private let clock: any RequestClock
    private let logger: Logger
    private let problem: @Sendable (BatchLineError) -> JSONValue
    private let rates = BatchRates()
    private let lineCounts = BatchLineCounts()
    private let pace: LinePace
    private let state = Guarded(State())
    let arrivals = BatchArrivals()
    /// The batches whose work can begin. `Settings.maxStored` limits their number.
    private let queue: (stream: AsyncStream<StoredBatch>, continuation: AsyncStream<StoredBatch>.Continuation)

    /// - Parameter root: The path of the daemon's own directory.
    /// - Parameter loop: The thread of the files.
    /// - Parameter problem: A function that returns the error of a line as a problem of RFC 9457.
    package init(
        _ settings: Settings, intake: any RequestIntake, templates: any TemplateStoring, planner: any BatchPlanning,
        shares: BatchShares, root: String, on loop: EventLoop, large: LargePayloadExecutor, clock: any RequestClock,
        logger: Logger, freeSpace: @escaping @Sendable (_ byteCount: Int) async -> Bool = { _ in false },
        problem: @escaping @Sendable (BatchLineError) -> JSONValue
    ) {
        self.settings = settings
        self.intake = intake
        self.templates = templates
        self.planner = planner
        self.shares = shares
        stored = ByteShares(limit: settings.quota, share: 0.75)
        scratch = ByteShares(limit: settings.maxScratch, share: 0.25)
        pace = LinePace(clock: clock) { [intake] in intake.lastSingleRequest }
        queue = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(2 * settings.maxStored))
        self.large = large
        self.clock = clock
        self.logger = logger
        self.problem = problem
        directory = BatchDirectory(path: root + "/batches", loop: loop, clock: clock, freeSpace: freeSpace)
    }

    /// The number of bytes of results that wait for the clients of running calls.
    var scratchBytes: Int { scratch.taken }

    /// The stored batches, for erasures.
    var storedBatches: [StoredBatch] { state.withLock { Array($0.batches.values) } }

    private func run(of call: BatchCall, _ results: BatchResults) -> BatchRun {
        BatchRun(
            intake: intake, templates: templates, shares: shares, pace: pace, limits: settings.limits, large: large,
            clock: clock, call: call, results: results, lineCounts: lineCounts, problem: problem)
    }

    /// The numbers of the batches, for metrics.
    package var figures: BatchFigures {
        let batches = storedBatches
        let ended = batches.count { $0.record.endedAt != nil }
        return BatchFigures(
            open: batches.count - ended, ended: ended, byteCount: stored.taken,
            emittedLines: lineCounts.emitted, failedLines: lineCounts.failed)
    }

    // MARK: Calls that wait

    @concurrent package func process(
        _ call: BatchCall, _ body: some AsyncSequence<[UInt8], any Error> & Sendable,
        write: @escaping @Sendable ([UInt8]) async -> Void
    ) async {
        let results: BatchResults
        do throws(SystemError) {
            results = BatchResults(
                file: try await directory.scratchFile(), in: scratch, of: call.share ?? call.owner, clock: clock)
        } catch {
            logger.error("no batch can be processed: its results have no file: \(error)")
            return await write(Self.line(["error": problem(.refused(.failed("\(error)")))]))
        }
        defer { results.discard() }
        let isComplete = await withTaskGroup(of: Bool.self) { group in
            group.addTask { [self, run = run(of: call, results)] in
                let measurement = BatchRates.Measurement(at: clock.now)
                let isComplete = await run.run(body)
                rates.add(measurement, results.tally, at: clock.now)
                results.end()
                return isComplete
            }
            var offset = 0
            while let piece = await results.piece(from: offset) {
                offset += piece.count
                await write(piece)
                await results.forget(upTo: offset)
            }
            return await group.next() ?? false
        }
        if !Task.isCancelled { await write(Self.summary(results.tally.json, isComplete)) }
    }

    @concurrent package func plan(
        _ call: BatchCall, _ body: some AsyncSequence<[UInt8], any Error> & Sendable, as run: DryRun,
        write: @escaping @Sendable ([UInt8]) async -> Void
    ) async {
        let plan = BatchPlanRun(
            planner: planner, limits: settings.limits, clock: clock, call: call, problem: problem, kind: run,
            rates: rates.value)
        if let plan = await plan.run(body, write: write) { await write(Self.line(["plan": plan])) }
    }

    private static func line(_ value: JSONValue) -> [UInt8] { JSONWriter.bytes(of: value) + [UInt8(ascii: "\n")] }

    /// Returns the last line of the results.
    ///
    /// - Parameter isComplete: Whether each line of the body has a result.
    private static func summary(_ counts: JSONObject, _ isComplete: Bool) -> [UInt8] {
        var counts = counts
        counts.append("complete", .bool(isComplete))
        return line(["summary": .object(counts)])
    }

    // MARK: Stored batches

    @concurrent package func store(
        _ call: BatchCall, as id: RequestID?, _ body: some AsyncSequence<[UInt8], any Error> & Sendable
    ) async -> BatchAdmission {
        let now = clock.date
        let id = id ?? .new(millisecondsSince1970: UInt64(max(0, now.timeIntervalSince1970 * 1_000)))
        if let refusal = state.withLock({ refusal(of: call, $0) }) { return refusal }
        var byteCount = 0
        var path: String?
        let admission: BatchAdmission
        let arrival = arrivals.begin()
        defer { arrivals.end(arrival) }
        do throws(SystemError) {
            let arriving = try await directory.begin()
            path = arriving.path
            admission = try await receive(arriving, arrival, call, id, at: now, body, counting: &byteCount)
        } catch {
            logger.error("a batch cannot be stored: \(error)", metadata: ["id": "\(id)"])
            admission = .failed
        }
        if case .accepted = admission { return admission }
        if let path { await directory.remove(path) }
        stored.release(byteCount, by: call.owner)
        return admission
    }

    private func refusal(of call: BatchCall, _ state: State) -> BatchAdmission? {
        if state.isClosing { return .closing }
        let open = state.batches.values.count { $0.record.endedAt == nil && $0.record.owner == call.owner }
        guard open < settings.maxOpen else { return .full("The caller has \(open) open batches.") }
        guard state.batches.count < settings.maxStored, !stored.isFull else {
            return .full("The space for stored batches is in use.")
        }
        return nil
    }

    /// Writes a body to the disk, and accepts it.
    ///
    /// - Parameter byteCount: The number of bytes that are taken from the quota.
    private func receive(
        _ arriving: BatchDirectory.Arriving, _ arrival: UInt64, _ call: BatchCall, _ id: RequestID, at date: Date,
        _ body: some AsyncSequence<[UInt8], any Error> & Sendable, counting byteCount: inout Int
    ) async throws(SystemError) -> BatchAdmission {
        var hash = SHA256()
        do {
            for try await piece in body {
                hash.update(piece.span)
                guard byteCount + piece.count <= settings.limits.maxBytes else {
                    return .tooLarge(most: settings.limits.maxBytes)
                }
                guard stored.take(piece.count, by: call.owner) else {
                    return .full("The space for stored batches is in use.")
                }
                let offset = byteCount
                byteCount += piece.count
                try await directory.write(piece, of: arriving, at: offset)
            }
        } catch let error as SystemError {
            throw error
        } catch {
            return .truncated
        }
        let record = StoredBatch.Record(
            id: id, owner: call.owner, groups: call.groups.listed, mayReportReceipts: call.mayReportReceipts,
            group: call.group, budgetMs: call.budget.map { Int($0.milliseconds) },
            fingerprint: Hexadecimal.text(of: hash.finalize()),
            createdAt: date, trace: call.trace)
        guard await carryOutErasures(of: arrival, on: StoredBatch(record, path: arriving.path)) else { return .failed }
        return try await accept(arriving, record)
    }

    /// Erases the lines of a body that erasures concern which ran while it arrived.
    ///
    /// - Returns: Whether no such line is left.
    private func carryOutErasures(of arrival: UInt64, on batch: StoredBatch) async -> Bool {
        while let steps = arrivals.takeSteps(arrival) {
            if steps.isEmpty { return true }
            for step in steps {
                do throws(MediaFailure) { _ = try await erase(batch, ErasureMatcher(step)) } catch {
                    logger.error("\(error.detail)")
                    return false
                }
            }
        }
        return false
    }

    private func accept(
        _ arriving: BatchDirectory.Arriving, _ record: StoredBatch.Record
    ) async throws(SystemError) -> BatchAdmission {
        let path = directory.path(of: record.id, of: record.owner)
        let results = results(of: record, at: path)
        let batch = StoredBatch(record, path: path, results: results)
        // The name is taken before the directory gets it, so that a second body with the same id finds it.
        let earlier: StoredBatch? = state.withLock { state in
            if let earlier = state.batches[path] { return earlier }
            state.batches[path] = batch
            return nil
        }
        if let earlier {
            await earlier.restored.wait()
            guard state.withLock({ $0.batches[path] === earlier }) else { return .failed }
            return earlier.record.fingerprint == record.fingerprint ? .joined(record.id) : .conflict(record.id)
        }
        do throws(SystemError) { try await directory.publish(arriving, record, as: path) } catch {
            state.withLock { $0.batches[path] = nil }
            batch.restored.signal()
            batch.ended.signal()
            throw error
        }
        batch.restored.signal()
        start(batch)
        logger.info("stored a batch", metadata: ["id": "\(record.id)"])
        return .accepted(record.id)
    }

    private func results(of record: StoredBatch.Record, at path: String) -> BatchResults {
        BatchResults(file: directory.results(of: path), in: stored, of: record.owner, clock: clock)
    }

    /// Lets the work on a batch begin. After the graceful shutdown has begun, the next daemon does it.
    private func start(_ batch: StoredBatch) {
        guard case .enqueued = queue.continuation.yield(batch) else { return batch.ended.signal() }
    }

    private func batch(_ id: RequestID, of owner: String) -> StoredBatch? {
        let path = directory.path(of: id, of: owner)
        return state.withLock { $0.batches[path] }
    }

    package func state(of id: RequestID, of owner: String) async -> JSONObject? {
        guard let batch = batch(id, of: owner) else { return nil }
        await batch.restored.wait()
        return batch.json(retention: settings.retention)
    }

    package func results(
        of id: RequestID, of owner: String, after count: Int
    ) async -> (@Sendable (_ write: @escaping @Sendable ([UInt8]) async -> Void) async -> Void)? {
        guard let batch = batch(id, of: owner) else { return nil }
        return { [self] write in
            let hadEnded = batch.record.endedAt != nil
            guard let (results, end) = await durableResults(of: batch) else { return }
            let isWhole = await results.write(after: count, upTo: end, to: write)
            let record = batch.record
            // The batch may have ended after its last results were made durable.
            if hadEnded, isWhole { await write(Self.summary(batch.counts, !record.isCancelled)) }
        }
    }

    /// Returns the results of a batch, and the number of their durable bytes. Without this limit, a power cut could change
    /// the order of results that a client has read.
    private func durableResults(of batch: StoredBatch) async -> (results: BatchResults, byteCount: Int)? {
        await batch.restored.wait()
        do throws(SystemError) {
            if let results = batch.results {
                return (results, try await results.sync())
            }
            let file = directory.results(of: batch.path)
            let byteCount = try await file.byteCount()
            let results = BatchResults(
                ended: file, byteCount: byteCount, in: stored, of: batch.record.owner, clock: clock)
            return (results, byteCount)
        } catch {
            logger.error("the results of a batch cannot be read: \(error)", metadata: ["id": "\(batch.record.id)"])
            return nil
        }
    }

    package func cancel(_ id: RequestID, of owner: String) async -> CancelAnswer {
        guard let batch = batch(id, of: owner) else { return .unknown }
        guard let running = batch.cancel(erasing: false) else { return .alreadyEmitted }
        do throws(SystemError) { try await directory.storeRecord(of: batch) } catch {
            logger.error("a cancelled batch cannot be stored: \(error)", metadata: ["id": "\(id)"])
        }
        await end(batch, cancelling: running)
        return batch.record.endedAt == nil ? .closing : .cancelled
    }

    /// Cancels an open batch whose template is erased, and waits for its end. The next daemon does not go on with it.
    func cancelErased(_ batch: StoredBatch) async throws(SystemError) {
        guard batch.results != nil, let running = batch.cancel(erasing: true) else { return }
        try await directory.storeRecord(of: batch)
        await end(batch, cancelling: running)
    }

    private func end(_ batch: StoredBatch, cancelling running: [RequestKey]) async {
        await withDiscardingTaskGroup { group in
            for key in running { group.addTask { await self.cancel(key) } }
        }
        await batch.ended.wait()
    }

    func cancel(_ key: RequestKey) async { _ = await intake.cancel(key) }

    // MARK: The work on stored batches

    /// Restores the batches of an earlier daemon. The call returns before their lines are processed.
    package func recover() async throws(SystemError) {
        try await directory.prepare()
        for (path, record) in await directory.records() {
            let batch = StoredBatch(
                record, path: path, results: record.endedAt == nil ? results(of: record, at: path) : nil)
            stored.add(await directory.byteCount(of: path), by: record.owner)
            state.withLock { $0.batches[path] = batch }
            if record.endedAt == nil { start(batch) } else { batch.restored.signal() }
        }
    }

    /// Processes stored batches until the graceful shutdown, and removes those whose time has passed.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await cancelWhenGracefulShutdown { await self.removeOld() } }
                // Lines take threads that single requests need too, so they get idle time.
                for await batch in queue.stream { group.addTask(priority: .utility) { await self.execute(batch) } }
            }
        } onGracefulShutdown: {
            self.close()
        }
    }

    private func close() {
        let batches = state.withLock { state in
            state.isClosing = true
            return Array(state.batches.values)
        }
        for batch in batches { batch.stop() }
        queue.continuation.finish()
    }

    private func execute(_ batch: StoredBatch) async {
        defer {
            batch.restored.signal()
            batch.ended.signal()
        }
        guard let results = batch.results else { return }
        do throws(SystemError) {
            let done = try await results.recover()
            batch.restored.signal()
            let body = FilePieces(file: directory.body(of: batch.path))
            if batch.plan == nil {
                let plan = BatchPlanRun(
                    planner: planner, limits: settings.limits, clock: clock, call: batch.call, problem: problem,
                    kind: nil, rates: rates.value, maxLines: Self.maxPlanned)
                if let plan = await plan.run(body, write: { _ in }) { batch.plan = plan }
            }
            var run = run(of: batch.call, results)
            run.stored = batch
            let measurement = BatchRates.Measurement(at: clock.now)
            let isComplete = batch.isCancelled ? true : await run.run(body, without: done)
            rates.add(measurement, results.tally, at: clock.now)
            try await results.sync()
            guard isComplete && !batch.isLeftOpen || batch.isCancelled else { return }
            batch.end(at: clock.date)
            try await directory.storeRecord(of: batch)
            logger.info("a batch has ended", metadata: ["id": "\(batch.record.id)"])
        } catch {
            logger.error(
                "a batch has stopped, and continues after the next start: \(error)",
                metadata: ["id": "\(batch.record.id)"])
        }
    }

    package func remove(_ id: RequestID, of owner: String) async -> CancelAnswer {
        let answer = await cancel(id, of: owner)
        guard answer == .cancelled || answer == .alreadyEmitted else { return answer }
        // One of two calls at the same time removes the files.
        let path = directory.path(of: id, of: owner)
        if let batch = state.withLock({ $0.batches.removeValue(forKey: path) }) { await removeFiles(of: batch) }
        return .cancelled
    }

    private func removeFiles(of batch: StoredBatch) async {
        let byteCount = await directory.byteCount(of: batch.path)
        await directory.remove(batch.path)
        stored.release(byteCount, by: batch.record.owner)
    }

    package func change(maxScratch: Int) { scratch.change(limit: maxScratch) }

    /// Removes each batch whose results have been kept for their time.
    private func removeOld() async {
        while !Task.isCancelled {
            let limit = clock.date.addingTimeInterval(-settings.retention.seconds)
            let old = state.withLock { state in
                let old = state.batches.filter { ($0.value.record.endedAt ?? .distantFuture) < limit }
                for path in old.keys { state.batches[path] = nil }
                return Array(old.values)
            }
            for batch in old { await removeFiles(of: batch) }
            await clock.sleep(until: clock.now.advanced(by: .seconds(60)))
        }
    }
}
