import AppGroupStore
import LinuxIO
import NotificationModel
package import ServiceConfiguration

/// The work that the limit of open files permits at a time.
///
/// A daemon divides its descriptors at the start: for connections of callers, for media items, and for open indexes of
/// app groups. Therefore, none of these can use the descriptors of another.
package struct DescriptorBudget: Equatable {
    /// The number of descriptors of a pipeline without work: its threads, indexes and workers. After its first media
    /// item, 44 descriptors were counted.
    package static let ofPipeline = 64
    /// The number of descriptors of a daemon without work and without its workers. After its first media item, 64
    /// descriptors were counted. The others are for name servers, for files of large bodies, and for the spool.
    package static let ofDaemon = 104
    /// The number of descriptors of a worker: its socket, its process, and pipes during its start.
    package static let ofWorker = 4
    /// The number of descriptors of one media item: its connection, its download and its renditions.
    package static let ofItem = 12
    /// The number of descriptors of an open index: the database, its WAL and the WAL's index.
    package static let ofIndex = 3
    /// The number of descriptors of maintenance: its open indexes, and the connection that checks one of them.
    package static let ofMaintenance = (AppGroupStore.maintenanceIndexes + 1) * ofIndex
    /// The maximum number of libcurl handles with connections. Each handle keeps at least one connection.
    package static let mostHandles = 16
    /// The number of descriptors of a command that lets a daemon do the work, without the connections of its calls.
    package static let ofClient = 32

    /// The maximum number of listeners of a daemon: TCP, the unix socket and monitoring.
    private static let mostListeners = 3
    private static let leastCallers = 16
    private static let leastIndexes = 4
    /// The maximum number of open indexes. Each takes about 70 kB of memory, and 200 groups can be active at a time.
    private static let mostIndexes = 208
    private static let mostCallers = 4_096

    /// The limit of open files of this process.
    package let openFiles: Int
    /// The maximum number of callers' connections for each listener.
    package let callers: Int
    /// The maximum number of media items at a time.
    package let media: Int
    /// The maximum number of kept connections to origins. `nil` means that descriptors do not limit them.
    package let keptConnections: Int?
    /// The maximum number of open indexes of app groups.
    package let indexes: Int

    /// Divides the descriptors of a daemon.
    package init(_ configuration: Configuration, openFiles: Int = ResourceLimits.openFiles) {
        self.openFiles = openFiles
        guard openFiles < Self.wanted(configuration) else {
            (callers, indexes, media) = (Self.mostCallers, Self.mostIndexes, configuration.requests.inFlight)
            keptConnections = nil
            return
        }
        let spare = max(0, openFiles - Self.ofDaemonAtWork(configuration))
        let listeners = Self.listeners(of: configuration)
        callers = min(Self.mostCallers, max(Self.leastCallers, spare / 4 / listeners))
        indexes = min(Self.mostIndexes, max(Self.leastIndexes, spare / 8 / Self.ofIndex))
        let rest = spare - callers * listeners - indexes * Self.ofIndex
        // For each media item, one unused connection may be kept in addition to its own. At least one connection is
        // kept for each handle.
        let most = min(rest / (Self.ofItem + 1), (rest - Self.mostHandles) / Self.ofItem)
        media = min(configuration.requests.inFlight, max(1, most))
        keptConnections = media
    }

    /// Returns the smallest limit of open files with which a daemon can do all of its work.
    package static func least(_ configuration: Configuration) -> Int {
        ofDaemonAtWork(configuration) + leastCallers * mostListeners + leastIndexes * ofIndex + ofItem + mostHandles
    }

    /// Returns the limit of open files with which the limits of the configuration can be fully used at the same time.
    package static func wanted(_ configuration: Configuration) -> Int {
        ofDaemonAtWork(configuration) + mostCallers * listeners(of: configuration) + mostIndexes * ofIndex
            + configuration.requests.inFlight * ofItem + max(configuration.requests.inFlight, mostHandles)
    }

    private static func listeners(of configuration: Configuration) -> Int {
        1 + (configuration.listen == nil ? 0 : 1) + (configuration.http.metricsListen == nil ? 0 : 1)
    }

    /// Returns the number of descriptors of a daemon with its workers and its maintenance. The pool runs two
    /// workers more than configured: one for short jobs beside long jobs, and one for warming.
    private static func ofDaemonAtWork(_ configuration: Configuration) -> Int {
        ofDaemon + (configuration.workers + 2) * ofWorker + ofMaintenance
    }

    /// Returns the reason why the daemon cannot start. Returns `nil` if the limit of open files is high enough.
    package static func problem(with configuration: Configuration, openFiles: Int = ResourceLimits.openFiles) -> String?
    {
        let least = least(configuration)
        guard openFiles < least else { return nil }
        return "the limit is \(openFiles) open files, and the daemon needs at least \(least) with "
            + "\(HumanText.counted(configuration.workers, "worker")): raise it with LimitNOFILE= in the unit or ulimit -n"
    }

    /// The division of the descriptors as a text for messages.
    package var words: String {
        "\(callers) connections on each listener, \(HumanText.counted(media, "media item")) and "
            + "\(indexes) open app groups at a time"
    }

    /// Whether there may be too few free descriptors for the next media item. The value is also `true` if the
    /// descriptors cannot be counted, because counting needs a descriptor.
    package static var isShort: Bool { (ProcessDescriptors.open ?? .max) > ResourceLimits.openFiles - ofItem }

    /// Returns the number of media items that a pipeline can process at a time, at least 1.
    package static func media(openFiles: Int = ResourceLimits.openFiles) -> Int {
        max(1, (openFiles - ofPipeline) / ofItem)
    }

    /// Returns the number of open files that are needed for a number of media items at a time.
    package static func openFiles(for media: Int) -> Int { ofPipeline + media * ofItem }

    /// Returns the number of calls to a daemon that a command can make at a time, at least 1.
    package static func calls(openFiles: Int = ResourceLimits.openFiles) -> Int { max(1, openFiles - ofClient) }
}
