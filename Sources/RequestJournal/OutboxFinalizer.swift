import FoundationEssentials
import LinuxIO
import NotificationModel
import Primitives

/// A result that was published, with the claimed file that it came from.
struct PublishedResult: Sendable {
    let key: RequestKey
    let fileName: String
}

/// The finalizer of published results. It removes the claimed files when the results are durable.
///
/// The finalizer runs on a separate thread, after the emissions. One sync of the file system covers all results that
/// were published in the meantime. Then the finalizer removes the claimed files. The journal may delete their rows only
/// after this removal. If the row were deleted first, a crash would turn the claimed file into a new request.
actor OutboxFinalizer {
    /// The time before a failed sync is tried again.
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

    /// Sets the function that deletes rows of the journal.
    ///
    /// - Parameter forget: A function that receives the keys of the rows that the journal may delete.
    nonisolated func start(_ forget: @escaping @Sendable ([RequestKey]) -> Void) {
        self.forget.withLock { $0 = forget }
    }

    /// Finalizes the remaining results, and ends the thread.
    nonisolated func shutdown() async {
        await work()
        loop.shutdown()
    }

    /// Finalizes some results, and returns when their claimed files are removed.
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

    /// Removes results that no reader has removed and that are older than a date. The thread first finalizes the
    /// results that arrived before.
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
            // The rows stay in the journal until the next try, so no result is lost or published twice.
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

    /// Removes claimed files. A file that is missing was removed by another process.
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
