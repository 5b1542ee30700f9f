import AppGroupStore
import Ingress
import LinuxIO
import NotificationModel
import ServiceConfiguration

/// The work that the limit of open files permits at a time.
///
/// A daemon divides its descriptors at the start among connections of callers, media items, and open indexes of app groups,
/// so that none of these uses can take the descriptors of another one.
struct DescriptorBudget: Equatable {
    /// Descriptors of a pipeline without work: its threads, indexes and workers. 44 were counted after its first media item.
    static let ofPipeline = 64
    /// Descriptors of a daemon without work and without its workers. 64 were counted after its first media item; the others
    /// are for name servers and files of large bodies.
    static let ofDaemon = 88
    /// Descriptors of a worker: its socket and its process, and pipes while it starts.
    static let ofWorker = 4
    /// Descriptors of one media item: its connection, its download and its renditions.
    static let ofMedium = 12
    /// Descriptors of an open index: the database, its WAL and the WAL's index.
    static let ofIndex = 3
    /// Descriptors of maintenance: its open indexes, and the connection that checks one of them.
    static let ofMaintenance = (AppGroupStore.maintenanceIndexes + 1) * ofIndex
    /// Descriptors of directories that the spool reads.
    static let ofSpool = SpoolLimits().openDirectories
    /// Most handles of libcurl with connections. Each one keeps at least one connection.
    static let mostHandles = 16
    /// Descriptors of a command that leaves the work to a daemon, without its calls.
    static let ofClient = 32

    /// Most listeners of a daemon: TCP and the socket.
    private static let mostListeners = 2
    private static let leastCallers = 16
    private static let leastIndexes = 4
    /// Open indexes, of which each takes about 70 kB of memory: 200 groups can be active at a time.
    private static let mostIndexes = 208
    private static let mostCallers = 4_096

    /// The limit of open files.
    let openFiles: Int
    /// Connections of callers, for each listener.
    let callers: Int
    /// Media items at a time.
    let media: Int
    /// Connections to origins that are kept; `nil`: descriptors do not limit them.
    let keptConnections: Int?
    /// Open indexes of app groups.
    let indexes: Int

    /// Divides the descriptors of a daemon.
    init(_ configuration: Configuration, openFiles: Int = ResourceLimits.openFiles) {
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
        // Beside the connection of a media item, one may be kept that is not in use, and at least one for each handle.
        let most = min(rest / (Self.ofMedium + 1), (rest - Self.mostHandles) / Self.ofMedium)
        media = min(configuration.requests.inFlight, max(1, most))
        keptConnections = media
    }

    /// Returns the smallest limit of open files with which a daemon can do all of its work.
    static func least(_ configuration: Configuration) -> Int {
        ofDaemonAtWork(configuration) + leastCallers * mostListeners + leastIndexes * ofIndex + ofMedium + mostHandles
    }

    /// Returns the limit of open files with which a daemon does as much at a time as its configuration permits.
    static func wanted(_ configuration: Configuration) -> Int {
        ofDaemonAtWork(configuration) + mostCallers * listeners(of: configuration) + mostIndexes * ofIndex
            + configuration.requests.inFlight * ofMedium + max(configuration.requests.inFlight, mostHandles)
    }

    private static func listeners(of configuration: Configuration) -> Int {
        configuration.listen == nil ? 1 : mostListeners
    }

    /// Descriptors of a daemon with its workers, maintenance and spool. Two workers more than configured run: one for short
    /// jobs beside long ones, and one that warms.
    private static func ofDaemonAtWork(_ configuration: Configuration) -> Int {
        ofDaemon + (configuration.workers + 2) * ofWorker + ofMaintenance + ofSpool
    }

    /// Why a daemon does not start; `nil` if it does.
    static func problem(with configuration: Configuration, openFiles: Int = ResourceLimits.openFiles) -> String? {
        let least = least(configuration)
        guard openFiles < least else { return nil }
        return "the limit is \(openFiles) open files, and the daemon needs at least \(least) with "
            + "\(HumanText.counted(configuration.workers, "worker")): raise it with LimitNOFILE= in the unit or ulimit -n"
    }

    /// The division in words.
    var words: String {
        "\(callers) connections on each listener, \(HumanText.counted(media, "media item")) and "
            + "\(indexes) open app groups at a time"
    }

    /// Whether so few descriptors are free that the next media item may get none. They are also short if they cannot be
    /// counted, since that takes one.
    static var isShort: Bool { (ProcessDescriptors.open ?? .max) > ResourceLimits.openFiles - ofMedium }

    /// Returns how many media items a pipeline can work on at a time, 1 or more.
    static func media(openFiles: Int = ResourceLimits.openFiles) -> Int {
        max(1, (openFiles - ofPipeline) / ofMedium)
    }

    /// Returns how many open files a number of media items needs at a time.
    static func openFiles(for media: Int) -> Int { ofPipeline + media * ofMedium }

    /// Returns how many calls of a daemon a command can make at a time, 1 or more.
    static func calls(openFiles: Int = ResourceLimits.openFiles) -> Int { max(1, openFiles - ofClient) }
}
