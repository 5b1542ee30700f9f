import LinuxIO
import NotificationModel

/// Several engines on one thread, each group of hosts with one of them, made when the first of its hosts is asked.
///
/// Whenever a transfer is over, libcurl 7.88 goes through the connections of its multi handle until it finds the
/// transfer's own: with 2,000 that stand still, that was a tenth of all that a download costs. Hosts that hang cost only
/// those something that share their engine.
final class CurlEngines {
    /// Groups of hosts.
    static let count = 16

    private let loop: EventLoop
    /// For each group.
    private let stocks: [CurlStock]
    private let hedgeRooms: [HedgeRoom]
    private var engines: [CurlEngine?]
    /// In each engine; `nil`: as many as libcurl keeps by itself.
    private var connections: Int?

    init(loop: EventLoop, stocks: [CurlStock], hedgeRooms: [HedgeRoom]) {
        self.loop = loop
        self.stocks = stocks
        self.hedgeRooms = hedgeRooms
        engines = [CurlEngine?](repeating: nil, count: Self.count)
    }

    /// Makes one: a libcurl that cannot be started is told of before it is needed.
    func tryOut() throws(MediaFailure) { _ = try engine(of: 0) }

    private func engine(of group: Int) throws(MediaFailure) -> CurlEngine {
        if let engine = engines[group] { return engine }
        let engine = try CurlEngine(loop: loop, stock: stocks[group])
        if let connections { engine.keep(connections: connections) }
        engines[group] = engine
        return engine
    }

    // MARK: Transfers

    /// - Parameter group: of its host.
    func begin(
        _ id: CurlRun.ID, _ request: TransferRequest, of group: Int,
        _ promise: LoopPromise<TransferReport>
    ) {
        do throws(MediaFailure) {
            try engine(of: group).begin(id, request, hedgeRooms[group], promise)
        } catch {
            promise.fulfill(TransferReport(of: request, unstarted: error))
        }
    }

    func giveUp(_ id: CurlRun.ID, of group: Int) { engines[group]?.end(id, .cancelled) }

    /// - Parameter connections: that each engine keeps, those in use included.
    func keep(connections: Int) {
        self.connections = connections
        for engine in engines { engine?.keep(connections: connections) }
    }

    /// Ends what still runs, and closes the connections that are kept for later.
    func shutdown() {
        for engine in engines { engine?.shutdown() }
    }
}
