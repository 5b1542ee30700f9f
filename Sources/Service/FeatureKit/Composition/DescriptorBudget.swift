import AppGroupStore
import Base
import LinuxIO
import NotificationModel
package import ServiceConfiguration

/// The work that the limit of open files permits at a time.
///
/// A daemon divides its descriptors at the start, by the kinds of their uses. Therefore, no use can take the descriptors of
/// another, and a margin is left that no caller, origin or file can take.
package struct DescriptorBudget: Equatable {
    /// The number of descriptors of a pipeline without work: its threads, indexes and workers. After its first media
    /// item, 44 descriptors were counted.
    package static let ofPipeline = 64
    /// The number of descriptors of a daemon without work and without its workers. After its first media item, 64
    /// descriptors were counted. The others are for name servers, for further readers of the journal, and for files that are
    /// open while a step of the spool, the batches, the cache or an erasure reads or writes them.
    package static let ofDaemon = 96
    /// The number of descriptors of a worker: its socket, its process, and pipes during its start.
    package static let ofWorker = 4
    /// The number of descriptors of one media item: its connection, its download and its renditions.
    package static let ofItem = 12
    /// The number of descriptors of an open index: the database, its WAL and the WAL's index.
    package static let ofIndex = 3
    /// The number of descriptors of a call to an origin without a media item, for example of a callback: two connections
    /// and the answer.
    package static let ofCall = 3
    /// The number of descriptors of maintenance: its open indexes, and the connection that checks one of them.
    package static let ofMaintenance = (AppGroupStore.maintenanceIndexes + 1) * ofIndex
    /// The number of descriptors that stay free for the runtime. Without one, libdispatch ends the process, because it
    /// opens `/proc/self/task/TID/stat` each second while a queue has work.
    package static let margin = 32
    /// The maximum number of libcurl handles with connections. Each handle keeps at least one connection.
    package static let maxHandles = 16
    /// The number of descriptors of a command that lets a daemon do the work, without the connections of its calls.
    package static let ofClient = 32

    private static let minCallers = 16
    private static let maxCallers = 4_096
    private static let minIndexes = 4
    /// The maximum number of open indexes. Each takes about 70 kB of memory, and 200 groups can be active at a time.
    private static let maxIndexes = 208
    private static let minBatches = 4
    private static let maxBatches = 64
    private static let maxCallbacks = 128
    private static let minValidations = 1
    private static let maxValidations = 64

    /// The limit of open files of this process.
    package let openFiles: Int
    /// The maximum number of callers' connections for each listener.
    package let callers: Int
    /// The maximum number of batches whose callers wait. Each has a file without a name.
    package let batches: Int
    /// The maximum number of media items at a time.
    package let media: Int
    /// The maximum number of kept connections to origins. `nil` means that descriptors do not limit them.
    package let keptConnections: Int?
    /// The maximum number of open indexes of app groups.
    package let indexes: Int
    /// The maximum number of callbacks at a time.
    package let callbacks: Int
    /// The maximum number of validations of stale responses at a time.
    package let validations: Int
    private let listeners: Int
    private let workers: Int

    /// Divides the descriptors of a daemon.
    package init(_ configuration: Configuration, openFiles: Int = ResourceLimits.openFiles) {
        self.openFiles = openFiles
        listeners = Self.listeners(of: configuration)
        workers = Self.workers(of: configuration)
        guard openFiles < Self.wanted(configuration) else {
            (callers, indexes, media) = (Self.maxCallers, Self.maxIndexes, configuration.requests.inFlight)
            (batches, callbacks, validations) = (Self.maxBatches, Self.maxCallbacks, Self.maxValidations)
            keptConnections = nil
            return
        }
        // Each kind has its smallest number, and a part of the descriptors beyond those.
        let more = max(0, openFiles - Self.least(configuration))
        callers = min(Self.maxCallers, Self.minCallers + more / 4 / listeners)
        indexes = min(Self.maxIndexes, Self.minIndexes + more / 8 / Self.ofIndex)
        batches = min(Self.maxBatches, Self.minBatches + more / 32)
        callbacks = min(Self.maxCallbacks, Self.minCallbacks(configuration) + more / 32 / Self.ofCall)
        validations = min(Self.maxValidations, Self.minValidations + more / 32 / Self.ofCall)
        let others = callers * listeners + indexes * Self.ofIndex + batches + (callbacks + validations) * Self.ofCall
        let rest = openFiles - Self.ofDaemonAtWork(configuration) - others
        // For each media item, one unused connection may be kept in addition to its own. At least one connection is
        // kept for each handle.
        let most = min(rest / (Self.ofItem + 1), (rest - Self.maxHandles) / Self.ofItem)
        media = min(configuration.requests.inFlight, max(1, most))
        keptConnections = media
    }

    /// Returns the smallest limit of open files with which a daemon can do all of its work.
    package static func least(_ configuration: Configuration) -> Int {
        ofDaemonAtWork(configuration) + minCallers * listeners(of: configuration) + minIndexes * ofIndex
            + minBatches + (minCallbacks(configuration) + minValidations) * ofCall + ofItem + maxHandles
    }

    /// Returns the least number of callbacks at a time: one for each target, so that no silent target delays the others.
    private static func minCallbacks(_ configuration: Configuration) -> Int {
        min(maxCallbacks, max(2, configuration.callbacks.targets.count))
    }

    /// Returns the limit of open files with which the limits of the configuration can be fully used at the same time.
    package static func wanted(_ configuration: Configuration) -> Int {
        ofDaemonAtWork(configuration) + maxCallers * listeners(of: configuration) + maxIndexes * ofIndex
            + maxBatches + (maxCallbacks + maxValidations) * ofCall
            + configuration.requests.inFlight * ofItem + max(configuration.requests.inFlight, maxHandles)
    }

    private static func listeners(of configuration: Configuration) -> Int {
        1 + (configuration.listen == nil ? 0 : 1) + (configuration.http.metricsListen == nil ? 0 : 1)
    }

    /// The pool runs two workers more than configured: one for short jobs beside long jobs, and one for warming.
    private static func workers(of configuration: Configuration) -> Int { configuration.workers + 2 }

    /// Returns the number of descriptors of a daemon with its workers, its maintenance and the margin.
    private static func ofDaemonAtWork(_ configuration: Configuration) -> Int {
        ofDaemon + workers(of: configuration) * ofWorker + ofMaintenance + margin
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
        "\(callers) connections on each listener, \(HumanText.counted(media, "media item")), "
            + "\(batches) streamed batches, \(callbacks) callbacks, \(HumanText.counted(validations, "validation")) and "
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

    // MARK: Kinds

    /// The uses of descriptors.
    package enum Kind: String, Sendable, CaseIterable {
        /// The daemon without work, and its maintenance.
        case daemon
        case workers
        case connections
        case batches
        case indexes
        case media
        case callbacks
        case validations
        /// The descriptors that stay free for the runtime.
        case margin
    }

    /// Returns the number of descriptors for one use of a kind.
    package static func each(_ kind: Kind) -> Int {
        switch kind {
        case .daemon, .margin, .connections, .batches: 1
        case .workers: ofWorker
        case .indexes: ofIndex
        case .media: ofItem
        case .callbacks, .validations: ofCall
        }
    }

    /// Returns the number of descriptors of all uses of a kind.
    package func share(of kind: Kind) -> Int {
        let uses =
            switch kind {
            case .daemon: Self.ofDaemon + Self.ofMaintenance
            case .workers: workers
            case .connections: callers * listeners
            case .batches: batches
            case .indexes: indexes
            case .media: media
            case .callbacks: callbacks
            case .validations: validations
            case .margin: Self.margin
            }
        return uses * Self.each(kind)
    }
}

/// The inotify watches of a daemon. Each app group needs two of them.
package enum WatchBudget {
    /// The number of watches of a daemon if the kernel does not report the limit of a user.
    private static let ofUnknownUser = 4_096

    /// The number of watches that all processes of this user may have. The value is `nil` if the kernel has no inotify.
    package static var ofUser: Int? {
        // The second limit also counts in a container whose users differ from the users of the machine
        // (`user_namespaces(7)`).
        ["/proc/sys/fs/inotify/max_user_watches", "/proc/sys/user/max_inotify_watches"]
            .compactMap { FileSystem.firstLine(of: $0).flatMap { Int($0) } }.min()
    }

    /// The number of watches of the daemon: half of the user's watches. Other processes need watches, too.
    package static var ofDaemon: Int { ofUser.map { $0 / 2 } ?? ofUnknownUser }
}
