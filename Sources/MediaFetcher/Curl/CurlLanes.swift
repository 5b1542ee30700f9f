import LinuxIO
import NotificationModel

/// The threads that transfers run on. Lives on the network's thread, which is the first of them; others are started when
/// there is enough to do for them, and stay.
final class CurlLanes {
    /// A thread moves some 500 MB a second over HTTP/1.1: more of them than this wait for the network.
    private static let mostLanes = 4

    /// Where a transfer runs.
    struct Seat {
        /// The place of its thread.
        let lane: Int
        /// That its host belongs to.
        let group: Int
    }

    /// For each group of hosts, on all threads.
    private let stocks: [CurlStock]
    private let hedgeRooms = (0..<CurlEngines.count).map { _ in HedgeRoom() }
    private var lanes: [LoopBound<CurlEngines>]
    private var choice = LaneChoice()
    /// As many as there may be.
    private var most: Int
    /// In each engine.
    private var keptConnections = 0
    private var isShut = false

    /// - Parameters:
    ///   - loop: of the network's thread.
    ///   - certificates: that origins are judged by.
    ///   - processors: of this machine.
    init(
        loop: EventLoop, userAgent: String, certificates: TrustedCertificates,
        processors: Int = ProcessorCount.current
    ) throws(MediaFailure) {
        stocks = (0..<CurlEngines.count).compactMap { _ in
            CurlStock(certificates: certificates, userAgent: userAgent)
        }
        guard stocks.count == CurlEngines.count else { throw .noLibcurl }
        most = min(processors, Self.mostLanes)
        let engines = CurlEngines(loop: loop, stocks: stocks, hedgeRooms: hedgeRooms)
        try engines.tryOut()
        lanes = [LoopBound(engines, on: loop)]
    }

    // MARK: Transfers

    /// Chooses where a transfer runs.
    ///
    /// - Parameters:
    ///   - host: with its port.
    ///   - connected: where the only connection to it is, if it has not answered yet.
    /// - Returns: for `run` and `leave`.
    func enter(_ host: String, _ moving: LaneChoice.Moving, connected: Int?) -> Seat {
        if choice.wantsAnother(moving) { openLane() }
        // Modulo 16 for the group, and modulo 3, 5 or 7 for the lane: neither says anything of the other.
        let number = UInt(bitPattern: host.hashValue)
        return Seat(
            lane: choice.enter(number, moving, connected: connected), group: Int(number % UInt(CurlEngines.count)))
    }

    func leave(_ seat: Seat) { choice.leave(seat.lane) }

    /// Transfers at a time that the connections to a host carry, one on each thread: of more, libcurl 7.88 opens another
    /// connection for each.
    ///
    /// - Parameter kind: `nil`: nothing is known of the host.
    func mostStreams(of kind: HostProtocols.Kind?) -> Int {
        switch kind {
        case .oneByOne: .max
        case .multiplexed: LaneChoice.mostStreams(on: most)
        case nil, .connected: LaneChoice.mostStreams(on: 1)
        }
    }

    /// Runs one transfer to its end. Cancelling the calling task ends it at once.
    func run(_ request: TransferRequest, in seat: Seat) async -> TransferReport {
        guard !isShut else { return TransferReport(of: request, unstarted: .shutDown) }
        return await lanes[seat.lane].answer { engines, id, promise in
            engines.begin(id, request, of: seat.group, promise)
        } giveUp: { engines, id in
            engines.giveUp(id, of: seat.group)
        }
    }

    private func openLane() {
        guard lanes.count < most, !isShut else { return }
        guard let loop = try? EventLoop.start(name: "agd-curl-\(lanes.count + 1)") else {
            // The system has no thread for it: those that there are do what there is to do.
            most = lanes.count
            return
        }
        let engines = CurlEngines(loop: loop, stocks: stocks, hedgeRooms: hedgeRooms)
        engines.keep(connections: keptConnections)
        lanes.append(LoopBound(engines, on: loop))
        choice.open()
    }

    /// As many connections are kept as may be used at a time; of those of one host all, as all may be on one thread.
    func change(_ limits: FetchLimits) {
        let all = limits.connections + limits.standing
        let ofHost = limits.connectionsPerHost + limits.standingPerHost
        let kept = max(all / CurlEngines.count, min(all, ofHost))
        keptConnections = kept
        for lane in lanes { lane.tell { $0.keep(connections: kept) } }
    }

    // MARK: The end

    /// Ends what still runs.
    ///
    /// - Returns: the threads besides the network's own, which are to be joined elsewhere.
    func shutdown() -> [EventLoop] {
        isShut = true
        for lane in lanes { lane.tell { $0.shutdown() } }
        return lanes.dropFirst().map(\.loop)
    }
}
