import BenchProcess
import Glibc
import LinuxIO
import NotificationModel

/// An origin that accepts connections, reads the requests, and never responds.
actor StallingOrigin {
    private nonisolated let loop: EventLoop
    private let listener: LoopbackSocket
    private var connections: [Int32: OpenConnection] = [:]
    private var lastClose: MonotonicTime?
    private var waiters: [(isMet: (StallingOrigin) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private final class OpenConnection {
        let descriptor: OwnedDescriptor
        var hasAsked = false
        init(_ raw: Int32) { descriptor = OwnedDescriptor(adopting: raw) }
    }

    init() throws(SystemError) {
        listener = try LoopbackSocket.listening()
        loop = try EventLoop.start(name: "stalling")
    }

    /// The base URL, to which a number is appended.
    nonisolated var address: String { "http://127.0.0.1:\(listener.port)/stalled?" }

    func listen() {
        loop.watch(listener.descriptor.raw, for: .readable) { [unowned self] _ in
            self.assumeIsolated { $0.acceptAll() }
        }
    }

    func close() {
        loop.unwatch(listener.descriptor.raw)
        for raw in connections.keys { loop.unwatch(raw) }
        connections = [:]
    }

    /// Joins the thread. The owner calls this function once, after `close`.
    nonisolated func shutdown() { loop.shutdown() }

    /// Waits until `count` connections are open and have sent a request.
    func waitUntil(waiting count: Int) async {
        await wait { origin in origin.assumeIsolated { $0.connections.values.count(where: \.hasAsked) >= count } }
    }

    /// Waits until no client is connected.
    ///
    /// - Returns: The time at which the last connection closed; `nil` if no connection has closed.
    func lastClosed() async -> MonotonicTime? {
        await wait { origin in origin.assumeIsolated { $0.connections.isEmpty } }
        return lastClose
    }

    private func wait(until isMet: @escaping (StallingOrigin) -> Bool) async {
        if isMet(self) { return }
        await withCheckedContinuation { waiters.append((isMet, $0)) }
    }

    private func acceptAll() {
        while case let raw = accept(listener.descriptor.raw, nil, nil), raw >= 0 {
            _ = fcntl(raw, F_SETFL, O_NONBLOCK)
            _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
            connections[raw] = OpenConnection(raw)
            loop.watch(raw, for: .readable) { [unowned self] _ in self.assumeIsolated { $0.read(raw) } }
        }
    }

    private func read(_ raw: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(raw, &bytes, bytes.count)
        if count > 0 {
            connections[raw]?.hasAsked = true
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            lastClose = .now
            loop.unwatch(raw)
            connections[raw] = nil
        }
        let met = waiters.filter { $0.isMet(self) }
        guard !met.isEmpty else { return }
        waiters.removeAll { $0.isMet(self) }
        for waiter in met { waiter.continuation.resume() }
    }
}
