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
    private let hedgeRooms: [HedgeRoom]
    private let stockRoom = CurlStockRoom()
    private var engines = [CurlEngine?](repeating: nil, count: CurlEngines.count)
    /// In each engine; `nil`: as many as libcurl keeps by itself.
    private var connections: Int?

    /// - Parameter hedgeRooms: `count` of them.
    init(loop: EventLoop, userAgent: String, hedgeRooms: [HedgeRoom]) {
        self.loop = loop
        self.userAgent = userAgent
        self.hedgeRooms = hedgeRooms
    }

    /// - Parameter host: with its port.
    func engine(for host: String) throws(MediaFailure) -> CurlEngine {
        let place = Self.place(of: host)
        if let engine = engines[place] { return engine }
        let engine = try CurlEngine(
            loop: loop, userAgent: userAgent, stockRoom: stockRoom, hedgeRoom: hedgeRooms[place])
        if let connections { engine.keep(connections: connections) }
        engines[place] = engine
        return engine
    }

    private static func place(of host: String) -> Int { Int(UInt(bitPattern: host.hashValue) % UInt(count)) }

    // MARK: Transfers

    func begin(
        _ id: CurlRun.ID, _ request: TransferRequest, to host: String,
        _ continuation: CheckedContinuation<TransferReport, Never>
    ) {
        do throws(MediaFailure) {
            try engine(for: host).begin(id, request, continuation)
        } catch {
            continuation.resume(returning: TransferReport(unstarted: error))
        }
    }

    func giveUp(_ id: CurlRun.ID, to host: String) { engines[Self.place(of: host)]?.end(id, .cancelled) }

    // MARK: Connections

    /// - Parameters:
    ///   - all: connections that are kept, those in use included.
    ///   - ofHost: of these, to one host.
    func keep(all: Int, ofHost: Int) {
        let kept = max(all / Self.count, min(all, ofHost))
        connections = kept
        for engine in engines { engine?.keep(connections: kept) }
    }

    func shutdown() {
        for engine in engines { engine?.shutdown() }
    }
}
