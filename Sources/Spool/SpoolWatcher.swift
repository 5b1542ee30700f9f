package import LinuxIO
package import Logging
package import NotificationModel
package import Primitives
import ServiceLifecycle

/// The spool: `ROOT/GROUP/incoming`, where a program drops a payload as a file, which becomes a request.
///
/// **Input.** `*.json` files that are written and closed, or renamed or linked into the directory.
///
/// **Output.** One submission for each file, to the coordinator. A rename into `claimed/` claims the file and starts
/// its budget. The component that publishes the result removes the file.
///
/// **Refused.** An unusable file goes to `rejected/`, beside the reason. No file is deleted unread or replaced.
/// Symbolic links, directories, FIFOs and names that begin with a dot stay in place. The number of unsettled claims is
/// bounded, and no file is claimed while the coordinator is full. Groups take turns: a single file waits at most one
/// round for a group with a hundred thousand files.
///
/// **Threads.** File work runs on the thread `agd-spool`. Tasks of the caller wait for the coordinator. Large files are
/// parsed and submitted in the `LargePayloadExecutor`.
///
/// **Cancellation.** A graceful shutdown or the cancellation of the task ends the claiming. Claims that the coordinator
/// has not accepted go back to `incoming`, and `run` returns. After `kill -9`, the next daemon submits the files in
/// `claimed/` with the time of their claims.
///
/// The coordinator must have recovered its unfinished requests before `run`, because it then recognises the files of
/// these requests.
package struct SpoolWatcher: Service {
    private static let valuesPatience: Duration = .milliseconds(500)

    let spool: Spool
    private let coordinator: any RequestIntake
    private let clock: any RequestClock
    private let large: LargePayloadExecutor
    private let values: ByteLimiter

    /// - Parameter root: The path of the root, which is created if it does not exist.
    /// - Parameter memory: The memory for files of more than 256 KiB. A file without a lease stays in `incoming`.
    /// - Parameter values: The memory for files with many values. A claimed file that waits too long for it goes back
    ///   to `incoming`.
    /// - Parameter groups: The groups in addition to the default group. If `nil`, each directory in the root is a group
    ///   if it contains a directory `incoming` or is empty.
    /// - Parameter freeSpace: A function that removes other data on a full disk until this number of bytes is free. Its
    ///   result is whether any data was removed.
    package init(
        root: String, groups: [AppGroupName]? = nil, coordinator: any RequestIntake, clock: any RequestClock,
        logger: Logger,
        limits: SpoolLimits = SpoolLimits(), large: LargePayloadExecutor = LargePayloadExecutor(),
        memory: ByteLimiter = ByteLimiter(limit: 64 << 20),
        values: ByteLimiter = ByteLimiter(limit: 32 << 20),
        freeSpace: @escaping @Sendable (_ byteCount: Int) async -> Bool = { _ in false }
    ) throws(SystemError) {
        spool = try Spool(
            root: root, groups: groups, clock: clock, logger: logger, limits: limits, memory: memory,
            freeSpace: freeSpace)
        self.coordinator = coordinator
        self.clock = clock
        self.large = large
        self.values = values
    }

    /// The number of groups without a watch, which are checked every second because no watch is available for them.
    package var scannedGroups: Int { spool.scannedGroups.withLock(\.self) }

    /// Creates the directories of the default group and of the listed groups, and begins to watch. A file that is
    /// dropped after this call is not missed. The method is called once, before `run`.
    ///
    /// - Parameter journaled: The requests that an earlier daemon accepted and has not emitted. Their files in
    ///   `claimed` are not submitted again. All other files in `claimed` are submitted.
    package func prepare(journaled: [RequestKey: RequestOrigin] = [:]) async throws(SystemError) {
        let files = journaled.compactMap { key, origin -> SpoolFile? in
            if case .spool(let fileName) = origin { SpoolFile(group: key.group, name: fileName) } else { nil }
        }
        try await spool.prepare(journaled: Set(files))
    }

    /// Ends the spool's thread if `run` is never called.
    package func abandon() { spool.loop.shutdown() }

    /// Claims and submits files until a graceful shutdown, or until the task is cancelled. The caller calls `run` once,
    /// and calls no other method of the watcher afterwards.
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
                case .wait(let instant): await spool.waitForChange(until: instant)
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
                // A postponed claim already has its lease.
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

    /// Waits for memory for the values of a claim. The budget of a claim runs, so the file must not wait in `claimed`
    /// for long.
    ///
    /// - Returns: `nil` if the file is back in `incoming`.
    private func leaseForValues(_ footprint: Int, of claim: Claim) async -> ByteLease? {
        repeat {
            if let lease = await values.lease(footprint, within: Self.valuesPatience, on: clock) { return lease }
        } while await !spool.putBackForMemory(claim)
        return nil
    }
}

extension Spool {
    /// Moves a file back if there is no memory for its values. The move causes an event, after which the file can be
    /// claimed again.
    ///
    /// - Returns: Whether the claim has ended. A claim of an earlier daemon ends only with the spool, because its
    ///   budget has been running since then.
    fileprivate func putBackForMemory(_ claim: Claim) -> Bool {
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
