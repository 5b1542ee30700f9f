import LinuxIO
import NotificationModel

/// Several engines on one thread, each host with one of them, made when the first of its hosts is asked.
///
/// Whenever a transfer is over, libcurl 7.88 goes through the connections of its multi handle until it finds the
/// transfer's own: with 2,000 that stand still, that was a tenth of all that a download costs. Hosts that hang cost only
/// those something that share their engine.
final class CurlEngines {
    static let count = 16

    private let loop: EventLoop
    private let userAgent: String
    private let hedgeRooms: HedgeRooms
    private let room = CurlStockRoom()
    private var engines: [CurlEngine?]
    /// In each engine; `nil`: as many as libcurl keeps by itself.
    private var connections: Int?
    private var isShut = false

    init(loop: EventLoop, userAgent: String, hedgeRooms: HedgeRooms) {
        self.loop = loop
        self.userAgent = userAgent
        self.hedgeRooms = hedgeRooms
        engines = [CurlEngine?](repeating: nil, count: Self.count)
    }

    /// Makes one: a libcurl that cannot be started is told of before it is needed.
    func tryOut() throws(MediaFailure) { _ = try engine(at: 0) }

    private func engine(at place: Int) throws(MediaFailure) -> CurlEngine {
        if let engine = engines[place] { return engine }
        guard !isShut else { throw MediaFailure(.cancelled, "the fetcher was shut down") }
        let engine = try CurlEngine(loop: loop, userAgent: userAgent, room: room)
        if let connections { engine.keep(connections: connections) }
        engines[place] = engine
        return engine
    }

    /// The threads are chosen by the same number, modulo 3, 5 or 7: that has nothing to do with this.
    private func place(of host: String) -> Int { Int(UInt(bitPattern: host.hashValue) % UInt(Self.count)) }

    // MARK: Transfers

    /// - Parameter host: with its port.
    func begin(
        _ id: CurlRun.ID, _ request: TransferRequest, to host: String,
        _ continuation: CheckedContinuation<TransferReport, Never>
    ) {
        do throws(MediaFailure) {
            try engine(at: place(of: host)).begin(id, request, hedgeRooms[host], continuation)
        } catch {
            continuation.resume(returning: TransferReport(unstarted: error))
        }
    }

    func giveUp(_ id: CurlRun.ID, to host: String) { engines[place(of: host)]?.end(id, .cancelled) }

    /// - Parameter connections: that each engine keeps, those in use included.
    func keep(connections: Int) {
        self.connections = connections
        for engine in engines { engine?.keep(connections: connections) }
    }

    /// Ends what still runs, and closes the connections that are kept for later.
    func shutdown() {
        isShut = true
        for engine in engines { engine?.shutdown() }
    }
}
