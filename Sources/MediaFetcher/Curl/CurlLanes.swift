import LinuxIO
import NotificationModel

/// The threads that transfers run on. Lives on the network's thread, which is the first of them; others are started when
/// there is enough to do for them, and stay.
final class CurlLanes {
    /// A thread moves some 500 MB a second over HTTP/1.1: more of them than this wait for the network.
    private static let mostLanes = 4

    private let userAgent: String
    private let hedgeRooms = (0..<CurlEngines.count).map { _ in HedgeRoom() }
    private var lanes: [LoopBound<CurlEngines>]
    private var choice = LaneChoice()
    /// As many as there may be.
    private var most: Int
    private var limits = FetchLimits()

    /// - Parameters:
    ///   - loop: of the network's thread.
    ///   - processors: of this machine.
    init(loop: EventLoop, userAgent: String, processors: Int = ProcessorCount.current) throws(MediaFailure) {
        self.userAgent = userAgent
        most = min(processors, Self.mostLanes)
        let engines = CurlEngines(loop: loop, userAgent: userAgent, hedgeRooms: hedgeRooms)
        // One of them now: a libcurl that cannot be started is told of at the start.
        _ = try engines.engine(for: "")
        lanes = [LoopBound(engines, on: loop)]
    }

    /// Runs one transfer to its end. Cancelling the calling task ends it at once.
    ///
    /// - Parameter host: with its port.
    func run(_ request: TransferRequest, to host: String, _ moving: LaneChoice.Moving) async -> TransferReport {
        if choice.wantsAnother(moving) { openLane() }
        let place = choice.enter(UInt(bitPattern: host.hashValue), moving)
        defer { choice.leave(place) }
        return await lanes[place].answer { engines, id, continuation in
            engines.begin(id, request, to: host, continuation)
        } giveUp: { engines, id in
            engines.giveUp(id, to: host)
        }
    }

    private func openLane() {
        guard lanes.count < most else { return }
        guard let loop = try? EventLoop.start(name: "agd-curl-\(lanes.count + 1)") else {
            // The system has no thread for it: those that there are do what there is to do.
            most = lanes.count
            return
        }
        lanes.append(LoopBound(CurlEngines(loop: loop, userAgent: userAgent, hedgeRooms: hedgeRooms), on: loop))
        choice.open()
        keep(in: lanes[lanes.endIndex - 1])
    }

    func change(_ limits: FetchLimits) {
        self.limits = limits
        for lane in lanes { keep(in: lane) }
    }

    /// As many connections are kept as may be used at a time, each thread with its part of them; of one host as many as
    /// may be used on the thread.
    private func keep(in lane: LoopBound<CurlEngines>) {
        let all = (limits.connections + limits.standing + most - 1) / most
        let ofHost = limits.connectionsPerHost + limits.standingPerHost
        let part = max(min(ofHost, LaneChoice.fullLane), ofHost / most)
        lane.tell { $0.keep(all: all, ofHost: part) }
    }

    /// Ends what still runs, and closes the connections that are kept for later.
    ///
    /// - Returns: the threads besides the network's own, which are to be joined elsewhere.
    func shutdown() -> [EventLoop] {
        most = lanes.count
        for lane in lanes { lane.tell { $0.shutdown() } }
        return lanes.dropFirst().map(\.loop)
    }
}
