import TranscodeProtocol

/// What is to be made of a picture, and how far it is decoded for that: decided before anything is. Pure.
struct PictureWork {
    let orders: [RenditionOrder]
    let facts: PictureFacts
    /// Of the source.
    let byteCount: Int
    /// One for each order.
    let plans: [PicturePlan]
    /// The stills of the whole picture, the largest first.
    let stills: [(index: Int, size: PixelSize)]
    /// The largest size that the whole picture is scaled to, as stored.
    let largest: PixelSize
    /// The size that the picture is decoded for, as stored.
    let wanted: PixelSize
    /// What it shows less than was ordered for want of time.
    private(set) var reduction: RenditionReduction?

    /// - Throws: `internalFault` for an order that no picture can meet.
    init(_ orders: [RenditionOrder], of facts: PictureFacts, byteCount: Int) throws(TranscodeFailure) {
        var plans: [PicturePlan] = []
        for order in orders { plans.append(try PicturePlan(order, facts: facts)) }
        self.orders = orders
        self.byteCount = byteCount
        self.plans = plans
        stills = plans.enumerated()
            .compactMap { index, plan in plan.stillSize.map { (index: index, size: $0) } }
            .sorted { $0.size.longestSide > $1.size.longestSide }
        let smallest = facts.uprightSize.fitting(longestSide: PreviewMaking.side)
        let largest = (stills.first?.size ?? smallest).turned(facts.orientation)
        wanted = plans.compactMap(\.part).reduce(largest) { wanted, part in
            wanted.union(part.decodedSize(of: facts.size, facts.orientation))
        }
        self.largest = largest
        var facts = facts
        // What is handed on as it is, is read to its end.
        if plans.contains(where: \.isCopy) { facts.endsOfScans = [:] }
        self.facts = facts
    }

    /// The most of what was ordered that there is time for: all of it, or an animation's first picture, or smaller ones.
    /// Where there is no time for anything, the quickest is tried.
    ///
    /// - Parameter time: in microseconds, on the machine that the costs are of; `nil`: as long as it takes.
    static func fitting(
        _ orders: [RenditionOrder], of facts: PictureFacts, byteCount: Int, in time: Double?
    ) throws(TranscodeFailure) -> PictureWork {
        var best = try PictureWork(orders, of: facts, byteCount: byteCount)
        guard let time, best.cost > time else { return best }
        let (moves, side) = (best.showsMotion, orders.shownSide)
        for least in [side, side / 2, side / 4, side / 8] where least >= leastSide {
            var smaller = try PictureWork(
                orders.map { $0.still(atMost: least) }, of: facts, byteCount: byteCount)
            // What is hardly quicker is no reason to show less.
            guard smaller.cost < best.cost * 0.9 else { continue }
            smaller.reduction = moves ? .still : .smaller
            best = smaller
            if best.cost <= time { break }
        }
        return best
    }

    /// Smaller ones are not worth their transfer.
    private static let leastSide: UInt32 = 96

    /// Whether what is shown is a video, or an animation as it is.
    private var showsMotion: Bool {
        zip(orders, plans).contains { order, plan in
            switch plan {
            case .movie: true
            case .copy: order.role == .attachment && facts.isAnimated
            case .still, .part: false
            }
        }
    }
}

extension [RenditionOrder] {
    fileprivate var shownSide: UInt32 { first { $0.role == .attachment }?.pictureSide ?? 0 }
}

extension RenditionOrder {
    fileprivate func still(atMost side: UInt32) -> RenditionOrder {
        var order = self
        order.pictureSide = Swift.min(pictureSide, side)
        order.takesVideos = false
        return order
    }
}
