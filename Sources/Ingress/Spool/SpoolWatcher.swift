package import LinuxIO
package import Logging
package import NotificationModel
import ServiceLifecycle

/// The spool: `ROOT/GROUP/incoming`, where a payload is dropped as a file and becomes a request.
///
/// What comes in: `*.json` files, written and closed, or renamed or linked into the folder. What goes out: a submission
/// each, to the desk. A file is claimed by a rename into `claimed/`; its budget counts from there, and whoever publishes
/// the result removes it. What is unusable goes to `rejected/`, beside the reason; nothing is deleted unread, and no file
/// replaces another. Symbolic links, folders, FIFOs and names that begin with a dot are left where they are.
///
/// The desk's answers rule the pace: claims are made only so far as they are settled, and while the desk is full none is.
/// Groups take turns, so that a hundred thousand files of one keep another's single file waiting for no more than a
/// round.
///
/// Files are handled on one thread (`agd-spool`); the waiting for the desk is done in tasks of the caller's, large files
/// are parsed and handed in in the `LargePayloadExecutor`. At a graceful shutdown nothing more is claimed, what the
/// desk has not taken goes back to `incoming`, and `run` returns. After `kill -9` the files in `claimed/` are handed in
/// again, with the time at which they were claimed.
///
/// The desk must have taken back its own unfinished requests before `run`: that is how it knows the files again.
package struct SpoolWatcher: Service {
    private static let valuesPatience: Duration = .milliseconds(500)

    let spool: Spool
    private let coordinator: any RequestIntake
    private let clock: any RequestClock
    private let large: LargePayloadExecutor
    private let values: ByteLimiter

    /// - Parameters:
    ///   - root: is made where it is missing.
    ///   - room: memory for files of more than 256 KiB; a file that gets none stays in `incoming`.
    ///   - values: memory for files with many values; a claimed file that waits for it too long goes back to `incoming`.
    ///   - groups: `nil`: each folder in the root that has an `incoming`, or is made there empty. The default group is one
    ///     in any case.
    package init(
        root: String, groups: [AppGroupName]? = nil, coordinator: any RequestIntake, clock: any RequestClock,
        logger: Logger,
        limits: SpoolLimits = SpoolLimits(), large: LargePayloadExecutor = LargePayloadExecutor(),
        room: ByteLimiter = ByteLimiter(limit: 64 << 20),
        values: ByteLimiter = ByteLimiter(limit: 32 << 20),
        makeRoom: @escaping @Sendable (_ byteCount: Int) async -> Bool = { _ in false }
    ) throws(SystemError) {
        spool = try Spool(
            root: root, groups: groups, clock: clock, logger: logger, limits: limits, room: room, makeRoom: makeRoom)
        self.coordinator = coordinator
        self.clock = clock
        self.large = large
        self.values = values
    }

    /// How many groups have no watch and are looked at each second, because watches are short.
    package var scannedGroups: Int { spool.scannedGroups.withLock(\.self) }

    /// Makes the folders of the default group and of those that are listed, and begins to watch; what is dropped from now
    /// on is not missed. Once, before `run`.
    ///
    /// - Parameter journaled: what an earlier daemon accepted and has not emitted. Their files in `claimed` are theirs;
    ///   all others there are handed in.
    package func prepare(journaled: [RequestKey: RequestOrigin] = [:]) async throws(SystemError) {
        let files = journaled.compactMap { key, origin -> SpoolFile? in
            if case .spool(let fileName) = origin { SpoolFile(group: key.group, name: fileName) } else { nil }
        }
        try await spool.prepare(journaled: Set(files))
    }

    /// Ends what was made for a `run` that will not be.
    package func abandon() { spool.loop.shutdown() }

    /// Claims and hands in until a graceful shutdown, or until the task is cancelled. Once, and the last call.
    package func run() async {
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await work()
            } onGracefulShutdown: {
                spool.stop()
            }
        } onCancel: {
            spool.stop()
        }
        await spool.close()
        spool.loop.shutdown()
    }

    private func work() async {
        await withDiscardingTaskGroup { group in
            while true {
                switch await spool.next() {
                case .work(let list): for item in list { group.addTask { await perform(item) } }
                case .wait(let instant): await waitForChange(orUntil: instant)
                case .end: return
                }
            }
        }
    }

    private func perform(_ work: SpoolWork) async {
        switch work {
        case .submit(let claim):
            await withTaskExecutorPreference(large.executor(forBytes: claim.bytes.count)) {
                var claim = claim
                // A claim that was held has its lease.
                if !claim.isRetried, let footprint = LargeValues.footprint(of: claim.bytes) {
                    guard footprint <= values.most else {
                        await spool.settle(claim, .unusable(.tooManyValues(footprint, most: values.most)))
                        return
                    }
                    guard let lease = await leaseForValues(footprint, of: claim) else { return }
                    claim.lease = lease
                }
                switch claim.submission() {
                case .success(let submission): await spool.settle(claim, .admission(coordinator.submit(submission)))
                case .failure(let why): await spool.settle(claim, .unusable(why))
                }
            }
        case .askAbout(let file):
            var state: RequestState?
            if let key = file.key { state = await coordinator.state(of: key) }
            await spool.settle(file, state: state)
        }
    }

    /// Waits for memory for the values of a claim. The budget of a claim runs, so the file does not wait in `claimed` for
    /// long.
    ///
    /// - Returns: `nil` if the file is back in `incoming`.
    private func leaseForValues(_ footprint: Int, of claim: Claim) async -> ByteLease? {
        repeat {
            if let lease = await values.lease(footprint, within: Self.valuesPatience, on: clock) { return lease }
        } while await !spool.putBackForRoom(claim)
        return nil
    }

    private func waitForChange(orUntil instant: MonotonicInstant) async {
        await withTaskGroup { group in
            group.addTask { await clock.sleep(until: instant) }
            group.addTask { await spool.change() }
            await group.next()
            group.cancelAll()
        }
    }
}

extension Spool {
    /// Gives back a file for whose values there is no memory. The event of the move lets it be claimed again.
    ///
    /// - Returns: whether the claim is over. One that an earlier daemon made is not, before the spool ends: its time runs
    ///   since then.
    fileprivate func putBackForRoom(_ claim: Claim) -> Bool {
        if claim.isRecovered {
            guard isStopping else { return false }
            active.remove(claim.file)
        } else {
            guard putBack(claim.file) else { return false }
        }
        changed()
        return true
    }
}

extension PayloadError {
    fileprivate static func tooManyValues(_ footprint: Int, most: Int) -> PayloadError {
        PayloadError(
            reason: .tooLarge,
            problem: "its values take about \(footprint) bytes of memory, and at most \(most) are permitted")
    }
}
