import Base
import FoundationEssentials
import LinuxIO
import NotificationModel

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
    /// The number of results that are not durable at which the journal publishes no more.
    static let maxUnfinalized = 16_384
    /// The time before a failed sync is tried again.
    private static let pause: Duration = .seconds(1)

    private struct State {
        /// The results for the next sync.
        var waiting: [PublishedResult] = []
        /// The number of all published results that are not durable.
        var unfinalized = 0
    }

    private let root: String
    private nonisolated let loop: EventLoop
    private nonisolated let state = Guarded(State())
    private nonisolated let forget = Guarded<(@Sendable ([RequestKey]) -> Void)?>(nil)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(root: String) throws(SystemError) {
        self.root = root
        loop = try EventLoop.start(name: "agd-settle")
    }

    /// Whether the journal must not publish results, because too many results are not durable.
    nonisolated var isFull: Bool { state.withLock { $0.unfinalized >= Self.maxUnfinalized } }

    /// Sets the function that receives the keys of the rows that the journal may delete.
    nonisolated func start(_ forget: @escaping @Sendable ([RequestKey]) -> Void) {
        self.forget.withLock { $0 = forget }
    }

    /// Finalizes the remaining results, and ends the thread.
    nonisolated func shutdown() async {
        await work()
        loop.shutdown()
    }

    /// Finalizes some results, and returns when their claimed files are removed.
    func finish(_ results: [PublishedResult]) throws(SystemError) {
        guard !results.isEmpty else { return }
        try letGo(results)
        forget.withLock { $0 }?(results.map(\.key))
    }

    nonisolated func finalize(_ results: [PublishedResult]) {
        guard !results.isEmpty else { return }
        let isFirst = state.withLock { state in
            defer { state.waiting += results }
            state.unfinalized += results.count
            return state.waiting.isEmpty
        }
        if isFirst { loop.execute { self.assumeIsolated { $0.work() } } }
    }

    /// Removes results that are older than a date, after the thread has finalized those that arrived before.
    nonisolated func forget(publishedBefore date: Date) {
        loop.execute { self.assumeIsolated { Outbox(root: $0.root).forget(publishedBefore: date) } }
    }

    private func work() {
        let results = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        guard !results.isEmpty else { return }
        do throws(SystemError) { try letGo(results) } catch {
            // The rows stay in the journal until the next try, so no result is lost or published twice.
            state.withLock { $0.waiting.insert(contentsOf: results, at: 0) }
            _ = loop.schedule(at: .now.advanced(by: Self.pause)) { [weak self] in self?.assumeIsolated { $0.work() } }
            return
        }
        state.withLock { $0.unfinalized -= results.count }
        forget.withLock { $0 }?(results.map(\.key))
    }

    private func letGo(_ results: [PublishedResult]) throws(SystemError) {
        try FileSystem.syncFileSystem(of: root)
        for (group, results) in Dictionary(grouping: results, by: \.key.group) {
            try removeClaims(results, in: "\(root)/\(group)/claimed")
        }
    }

    /// Removes claimed files. A file that is missing was removed by another process.
    private func removeClaims(_ results: [PublishedResult], in directory: String) throws(SystemError) {
        do throws(SystemError) {
            for result in results {
                let path = "\(directory)/\(result.fileName)"
                do throws(SystemError) { try FileSystem.remove(path) } catch  where error.isNoSuchFile {}
            }
            try FileSystem.syncDirectory(directory)
        } catch  where error.isNoSuchFile {}
    }
}
