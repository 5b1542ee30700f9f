import LinuxIO
import NotificationModel

/// The threads on which transfers run, each with a few multi handles. All transfers to a host use one multi handle,
/// which the hash of the host selects, so that they share its connections.
///
/// The network's thread is the first of them. This object is used only on that thread.
final class TransferThreads {
    /// The maximum number of threads. One thread transfers about 500 MB a second over HTTP/1.1, so four are enough.
    private static let most = 4
    /// The number of multi handles per thread. After each transfer, libcurl 7.88 searches the connections of its multi
    /// handle. With several handles, the stalled connections of one host slow down fewer other hosts.
    private static let driversPerThread = 4

    private let loops: [EventLoop]
    private let drivers: [LoopConfined<MultiHandleDriver>]
    private var isShut = false

    /// Starts the threads in addition to the network's thread, each with its multi handles. Throws `internal` if
    /// libcurl has no memory or a thread cannot be started.
    init(
        loop: EventLoop, userAgent: String, certificates: CAStoreCache,
        processors: Int = ProcessorCount.current
    ) throws(MediaFailure) {
        var loops = [loop]
        do {
            for number in 1..<min(processors, Self.most) {
                loops.append(try EventLoop.start(name: "agd-curl-\(number + 1)"))
            }
            var drivers: [LoopConfined<MultiHandleDriver>] = []
            for loop in loops {
                guard let handles = EasyHandlePool(certificates: certificates, userAgent: userAgent) else {
                    throw MediaFailure.noLibcurl
                }
                for _ in 0..<Self.driversPerThread {
                    drivers.append(LoopConfined(try MultiHandleDriver(loop: loop, handles: handles), on: loop))
                }
            }
            self.drivers = drivers
            self.loops = loops
        } catch {
            for loop in loops.dropFirst() { loop.shutdown() }
            throw error as? MediaFailure ?? MediaFailure(.internal, "a thread cannot be started: \(error)")
        }
    }

    /// Runs one transfer to a host with its port. If the calling task is cancelled, the transfer ends at once.
    func run(_ request: TransferRequest, to host: String) async -> TransferReport {
        guard !isShut else { return TransferReport(of: request, unstarted: .shutDown) }
        let number = Int(UInt(bitPattern: host.hashValue) % UInt(drivers.count))
        return await drivers[number].answer { driver, id, promise in
            driver.begin(id, request, promise)
        } giveUp: { driver, id in
            driver.end(id, .cancelled)
        }
    }

    /// Sets the number of connections that each multi handle keeps. The number is the limit of one host or the handle's
    /// share of the total limit, whichever is greater. The number never exceeds the handle's share of the descriptors.
    func change(_ limits: FetchLimits) {
        let all = limits.connections + limits.stalled
        let ofHost = limits.connectionsPerHost + limits.stalledPerHost
        let most = limits.keptConnections.map { max(1, $0 / drivers.count) } ?? .max
        let kept = min(most, max(all / drivers.count, min(all, ofHost)))
        for driver in drivers { driver.send { $0.keep(connections: kept) } }
    }

    /// Ends all running transfers, and returns the threads, without the network's thread. The caller joins them.
    func shutdown() -> [EventLoop] {
        isShut = true
        for driver in drivers { driver.send { $0.shutdown() } }
        return Array(loops.dropFirst())
    }
}
