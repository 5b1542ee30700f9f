import FoundationEssentials
import LinuxIO
import NotificationModel

/// A result that was published, and the claimed file that it came from.
struct PublishedResult: Sendable {
    let key: RequestKey
    let fileName: String
}

/// Lets go of what published results came from, when the disk has the results for good.
///
/// On a thread of its own, behind the emissions: the file system is synced once for all that were published meanwhile,
/// then the claimed files are removed, then the journal may forget their rows. A claimed file whose row were gone first
/// would be taken for a new one after a crash.
actor OutboxFinalizer {
    /// Before a disk that failed is tried again.
    private static let pause: Duration = .seconds(1)

    private let root: String
    private nonisolated let loop: EventLoop
    private nonisolated let published = Guarded<[PublishedResult]>([])
    private nonisolated let forget = Guarded<(@Sendable ([RequestKey]) -> Void)?>(nil)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(root: String) throws(SystemError) {
        self.root = root
        loop = try EventLoop.start(name: "agd-settle")
    }

    /// - Parameter forget: told which rows the journal can let go of.
    nonisolated func start(_ forget: @escaping @Sendable ([RequestKey]) -> Void) {
        self.forget.withLock { $0 = forget }
    }

    /// Settles what is left and ends the thread.
    nonisolated func shutdown() async {
        await work()
        loop.shutdown()
    }

    /// Settles these, and returns when it is done.
    func finish(_ settlements: [PublishedResult]) throws(SystemError) {
        guard !settlements.isEmpty else { return }
        try letGo(settlements)
        forget.withLock { $0 }?(settlements.map(\.key))
    }

    nonisolated func finalize(_ settlements: [PublishedResult]) {
        guard !settlements.isEmpty else { return }
        let isFirst = published.withLock { published in
            defer { published += settlements }
            return published.isEmpty
        }
        if isFirst { loop.execute { self.assumeIsolated { $0.work() } } }
    }

    /// Behind what is to be settled: removes results that nobody has taken away since before a date.
    nonisolated func forget(publishedBefore date: Date) {
        loop.execute { self.assumeIsolated { Outbox(root: $0.root).forget(publishedBefore: date) } }
    }

    private func work() {
        let settlements = published.withLock { published in
            defer { published = [] }
            return published
        }
        guard !settlements.isEmpty else { return }
        do throws(SystemError) { try letGo(settlements) } catch {
            // The rows stay meanwhile: nothing is lost, and nothing is published twice.
            _ = loop.schedule(at: .now.advanced(by: Self.pause)) { [weak self] in self?.finalize(settlements) }
            return
        }
        forget.withLock { $0 }?(settlements.map(\.key))
    }

    private func letGo(_ settlements: [PublishedResult]) throws(SystemError) {
        try FileSystem.syncFileSystem(of: root)
        for (group, settlements) in Dictionary(grouping: settlements, by: \.key.group) {
            try removeClaims(settlements, in: "\(root)/\(group)/claimed")
        }
    }

    /// What somebody else has taken away is away.
    private func removeClaims(_ settlements: [PublishedResult], in directory: String) throws(SystemError) {
        do throws(SystemError) {
            for settlement in settlements {
                do throws(SystemError) {
                    try FileSystem.remove("\(directory)/\(settlement.fileName)")
                } catch  where error.isNoSuchFile {
                    continue
                }
            }
            try FileSystem.syncDirectory(directory)
        } catch  where error.isNoSuchFile {
            return
        }
    }
}
