import Base
package import LinuxIO
package import NotificationModel
import TranscodeProtocol

/// The reasons why a pool makes no renditions.
extension MediaFailure {
    init(cannotStart executable: String, _ problem: SystemError?) {
        let reason = problem.map { ": \($0.reason)" } ?? ""
        guard let problem, problem.isOutOfDescriptors || problem.isTryAgain else {
            self.init(
                .workerCrashed, "the worker \(executable) cannot be started\(reason): install it again beside appgroupd"
            )
            return
        }
        self.init(.overloaded, "no worker can be started at the moment\(reason)")
    }

    init(otherBuild executable: String) {
        self.init(
            .workerCrashed,
            "the worker \(executable) is of another build than this program: install both from one package")
    }

    init(crash end: ProcessEnd?) {
        self.init(.workerCrashed, "the worker ended while it processed this file\(end.map { ", by \($0)" } ?? "")")
    }

    static let crash = MediaFailure(crash: nil)
    static let overloaded = MediaFailure(
        .overloaded, "the workers were busy, and none had time for the item before its budget ended")
    static let budgetExceeded = MediaFailure(.budgetExceeded, "the budget ended while renditions were made")

    static func overloaded(forAnother wait: Duration) -> MediaFailure {
        let seconds = wait.seconds.roundedToTenths
        return MediaFailure(
            .overloaded,
            "not downloaded: the workers are busy for another \(seconds) s, and the budget ends before that")
    }
}

extension Stage {
    init(_ stage: TranscodeStage) {
        let name: StageName =
            switch stage.name {
            case .inspect: .inspect
            case .decode: .decode
            case .scale: .scale
            case .encode: .encode
            }
        self.init(name: name, duration: .microseconds(Int64(clamping: stage.microseconds)))
    }
}

/// The load of a pool at one instant.
package struct PoolLoad: Sendable, Equatable {
    /// The largest number of workers for notifications. One more runs short jobs, and others warm.
    package var most: Int
    /// The number of workers, with those that are starting.
    package var running: Int
    /// The number of workers that process a job.
    package var busy: Int
    /// The number of workers that wait for a job.
    package var idle: Int
    /// The number of jobs with a downloaded source that wait for a worker.
    package var waiting: Int
}

/// The events of a pool, for metrics and the log.
package enum PoolEvent: Sendable, Equatable {
    case workerStarted
    case workerNotStarted
    /// The pool has killed a worker because of a deadline, a cancellation or an untrustworthy message.
    case workerKilled
    /// A file has crashed a worker, and is blocked; with `hostResting`, its host too, for this app group.
    case crashed(digest: String, host: String, group: AppGroupName, hostResting: Bool)
    /// A media item was not tried, because its file or its host is blocked.
    case rested
    /// The pool ends a worker that has reached its maximum number of jobs, or that has kept too much memory.
    case workerRecycled
    /// A worker has ended without being killed by the pool. `atJob` states that it was processing a job.
    case workerEnded(ProcessEnd, processIdentifier: Int32, atJob: Bool)
    /// A media item was refused because no worker could process it before its deadline. `isDownloaded`: the item was
    /// downloaded.
    case overloaded(isDownloaded: Bool)
    /// A job is tried again on another worker.
    case retried
}
