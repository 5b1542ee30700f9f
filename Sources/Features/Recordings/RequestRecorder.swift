package import Base
package import LinuxIO
package import Logging
package import NotificationModel
package import Telemetry

/// The recorder of requests that fail, for `appgroupd lab replay`.
///
/// **Input.** The results of all requests. **Output.** A recording of each result that `Recording.isWanted` chooses, in a
/// folder with a quota. **Refused.** A result while ``maxWaiting`` others wait, and all results for ``pause`` after the
/// folder could not be written, for example because its disk is full. The requests themselves are never delayed.
///
/// **Threads.** `offer` may be called on any thread, and blocks on nothing. The files are written on a thread of the
/// recorder's own. **Cancellation.** `shutdown` writes the recordings that wait, and ends the thread.
package final class RequestRecorder: Sendable {
    /// The descriptions of the metrics, by name.
    package static let meanings = [
        "appgroupd_recordings_total":
            "Results of requests that failed, by what the recorder did: kept, dropped, skipped or failed."
    ]
    /// The maximum number of results that wait. Each holds its payload and the files of its media.
    package static let maxWaiting = 16
    /// The time for which nothing is recorded after a failure.
    package static let pause: Duration = .seconds(10)

    /// The end of a result in the recorder.
    package enum Ending: String, Sendable, CaseIterable {
        case kept
        /// Other results were waiting, or the folder could not be written shortly before.
        case dropped
        /// A scenario cannot represent the request, or the recording is larger than the quota of the folder.
        case skipped
        /// The folder could not be written.
        case failed
    }

    private struct State {
        var waiting = 0
        var coolsDownUntil: MonotonicInstant?
        var counts: [Ending: Int] = [:]
    }

    package typealias Settings = @Sendable (AppGroupName) -> [(key: String, value: String)]

    private let folder: RecordingFolder
    private let loop: EventLoop
    private let settings: Settings
    private let logger: Logger
    private let now: @Sendable () -> MonotonicInstant
    private let state = Guarded(State())
    private let endings = CounterTable<Ending>("appgroupd_recordings_total") { [("result", $0.rawValue)] }

    /// - Parameter loop: A thread that no other part uses, because the disk may be slow. The recorder shuts it down.
    /// - Parameter settings: A function that returns the settings of an app group that a replay needs.
    package init(
        _ folder: RecordingFolder, on loop: EventLoop, logger: Logger,
        now: @escaping @Sendable () -> MonotonicInstant = { .now }, settings: @escaping Settings
    ) {
        self.folder = folder
        self.loop = loop
        self.settings = settings
        self.logger = logger
        self.now = now
    }

    /// Creates the folder, and removes the remains of an earlier daemon.
    ///
    /// - Throws: The error of the file system.
    package func open() async throws(SystemError) {
        try await loop.perform { [folder] () throws(SystemError) in try folder.open() }
    }

    /// The numbers of results since the start.
    package var counts: [Ending: Int] { state.withLock { $0.counts } }

    /// Returns the metrics of the folder. `MetricsRegistry` calls this function.
    @Sendable package func families() -> [MetricFamily] {
        [
            MetricFamily(
                "appgroupd_recordings_bytes", .gauge, Double(folder.byteCount), help: "Bytes of all recordings.")
        ]
    }

    /// Takes a result, and records it later if it is wanted.
    package func offer(_ notification: ProcessedNotification, of planned: any PlannedNotification) {
        // A complete result is the usual one, and costs no copy of its request.
        guard notification.outcome != .rich, Recording.isWanted(notification, of: planned.request) else { return }
        let hasRoom = state.withLock { state in
            if let end = state.coolsDownUntil, now() < end { return false }
            guard state.waiting < Self.maxWaiting else { return false }
            state.waiting += 1
            return true
        }
        guard hasRoom else { return note(.dropped) }
        let (request, names) = (planned.request, RecordingNames(planned))
        loop.execute { [self] in
            record(notification, of: request, names)
            state.withLock { $0.waiting -= 1 }
        }
    }

    /// Writes the recordings that wait, and ends the thread.
    package func shutdown() { loop.shutdown() }

    private func record(
        _ notification: ProcessedNotification, of request: NotificationRequest, _ names: RecordingNames
    ) {
        if let end = state.withLock({ $0.coolsDownUntil }), now() < end { return note(.dropped) }
        do {
            let recording = try Recording(
                notification, of: request, names, settings: settings(request.appGroup)
            ) { file, count in try FileSystem.bytes(of: file, at: 0, count: count) }
            guard folder.canHold(recording) else { return note(.skipped) }
            try folder.write(recording)
            if state.withLock({ $0.coolsDownUntil.take() }) != nil {
                logger.notice("failed requests are recorded again")
            }
            note(.kept)
        } catch let error as SystemError {
            folder.removeRemains()
            let isFirst = state.withLock { state in
                defer { state.coolsDownUntil = now() + Self.pause }
                return state.coolsDownUntil == nil
            }
            if isFirst {
                logger.error(
                    "failed requests are not recorded: \(error.reason): free space, or change record.folder",
                    metadata: ["folder": "\(folder.path)"])
            }
            note(.failed)
        } catch {
            note(.skipped)
        }
    }

    private func note(_ ending: Ending) {
        endings.increment(ending)
        state.withLock { $0.counts[ending, default: 0] += 1 }
    }
}

/// The erasure of recordings. It is a store of each daemon, and erases nothing if the daemon records nothing.
package struct RecordingErasure: Erasable {
    package static var erasedPlaces: [String] { ["recordings", "recordings/files"] }

    private let recorder: RequestRecorder?

    package init(_ recorder: RequestRecorder?) { self.recorder = recorder }

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        guard let recorder else { return counts }
        do throws(SystemError) { counts.recordings = try await recorder.erase(step) } catch {
            throw MediaFailure(.storageFailed, "a recording cannot be removed: \(error)")
        }
        return counts
    }
}

extension RequestRecorder {
    /// Removes the recordings of a step, after those that wait have been written.
    fileprivate func erase(_ step: ErasureStep) async throws(SystemError) -> Int {
        try await loop.perform { [folder] () throws(SystemError) in try folder.erase(step) }
    }
}
