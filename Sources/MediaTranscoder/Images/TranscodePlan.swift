import TranscodeProtocol

/// What is to be made of a picture, and how far it is decoded for that: decided before anything is. Pure.
struct TranscodePlan {
    let orders: [RenditionSpec]
    let facts: ImageFacts
    /// Of the source.
    let byteCount: Int
    /// One for each order.
    let plans: [ImagePlan]
    /// The stills of the whole picture, the largest first.
    let stills: [(index: Int, size: PixelSize)]
    /// The largest size that the whole picture is scaled to, as stored.
    let largest: PixelSize
    /// The size that the picture is decoded for, as stored.
    let wanted: PixelSize
    /// What it shows less than was ordered for want of time.
    private(set) var reduction: RenditionReduction?
    /// The expected times of the ordered renditions and of their cheapest substitute, in microseconds.
    private(set) var (orderedCost, leastCost) = (0.0, 0.0)

    /// - Throws: `internalFault` for an order that no picture can meet.
    init(_ orders: [RenditionSpec], of facts: ImageFacts, byteCount: Int) throws(TranscodeFailure) {
        var plans: [ImagePlan] = []
        for order in orders { plans.append(try ImagePlan(order, facts: facts)) }
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

    /// Returns the most of what was ordered that there is time for: all of it, or an animation's first picture, or smaller
    /// ones, or the thumbnail alone. If there is no time for anything, the quickest is tried.
    ///
    /// - Parameter time: in microseconds, on the machine that the costs are of; `nil`: as long as it takes.
    static func fitting(
        _ orders: [RenditionSpec], of facts: ImageFacts, byteCount: Int, in time: Double?
    ) throws(TranscodeFailure) -> TranscodePlan {
        let whole = try TranscodePlan(orders, of: facts, byteCount: byteCount)
        var (best, least) = (whole, whole.cost)
        for (orders, reduction) in orders.reductions(showMotion: whole.showsMotion) {
            var smaller = try TranscodePlan(orders, of: facts, byteCount: byteCount)
            least = min(least, smaller.cost)
            // What is hardly quicker is no reason to show less.
            guard best.cost > time ?? .infinity, smaller.cost < best.cost * 0.9 else { continue }
            smaller.reduction = reduction
            best = smaller
        }
        (best.orderedCost, best.leastCost) = (whole.cost, least)
        return best
    }

    /// Whether what is shown is a video, or an animation as it is.
    private var showsMotion: Bool {
        zip(orders, plans).contains { order, plan in
            switch plan {
            case .animation: true
            case .copy: order.role == .attachment && facts.isAnimated
            case .still, .part: false
            }
        }
    }
}

extension [RenditionSpec] {
    /// Smaller ones are not worth their transfer.
    private static var leastSide: UInt32 { 96 }

    private func side(_ role: RenditionRole) -> UInt32? { first { $0.role == role }?.pictureSide }

    /// Returns the substitutes for these, each quicker than the one before: a still of half, a quarter and an eighth of
    /// the side, and at last a picture of the thumbnail's size or half of it, without a thumbnail.
    fileprivate func reductions(showMotion moves: Bool) -> [(orders: [RenditionSpec], RenditionReduction)] {
        let side = side(.attachment) ?? 0
        let thumbnail = self.side(.thumbnail).flatMap { $0 < side ? $0 : nil }
        let least = Swift.max(Self.leastSide, (thumbnail ?? 0) + 1)
        let reduction: RenditionReduction = moves ? .still : .smaller
        var reductions = [side, side / 2, side / 4, side / 8].filter { $0 >= least }.map { side in
            (map { $0.still(atMost: side) }, reduction)
        }
        // The outputs are in the sequence of the orders, so that only the last ones can be left out.
        if let thumbnail, last?.role == .thumbnail {
            let others = prefix { $0.role != .thumbnail }
            for side in [thumbnail, thumbnail / 2] where side == thumbnail || side >= Self.leastSide {
                reductions.append((others.map { $0.still(atMost: side) }, moves ? .still : .thumbnail))
            }
        }
        return reductions
    }
}

extension RenditionSpec {
    fileprivate func still(atMost side: UInt32) -> RenditionSpec {
        var order = self
        order.pictureSide = Swift.min(pictureSide, side)
        order.takesAnimations = false
        return order
    }
}
