import Base
import MediaHeaders
import TranscodeProtocol

/// The plan for an image's renditions and the size at which it is decoded, made before. The type has no side effects.
struct TranscodePlan {
    let specs: [RenditionSpec]
    let facts: ImageFacts
    /// The size of the source, in bytes.
    let byteCount: Int
    /// The plans, one for each rendition spec.
    let plans: [ImagePlan]
    /// The still images of the whole image, with the largest first.
    let stills: [(index: Int, size: PixelSize)]
    /// The largest size to which the whole image is scaled, as stored.
    let largest: PixelSize
    /// The smallest size at which the image may be decoded, as stored.
    let wanted: PixelSize
    /// The way in which the plan shows less than was requested because the time is short; `nil` if it shows everything.
    private(set) var reduction: RenditionReduction?
    /// The expected times for the requested renditions and for their cheapest substitute, in microseconds.
    private(set) var (orderedCost, minCost) = (0.0, 0.0)

    /// Makes the plan for the rendition specs.
    ///
    /// - Throws: `internalFault` for a spec that no image can meet.
    init(_ specs: [RenditionSpec], of facts: ImageFacts, byteCount: Int) throws(TranscodeFailure) {
        var plans: [ImagePlan] = []
        for order in specs { plans.append(try ImagePlan(order, facts: facts)) }
        self.specs = specs
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
        // A file that is copied is also decoded completely, so that damage is found.
        if plans.contains(where: \.isCopy) { facts.endsOfScans = [:] }
        self.facts = facts
    }

    /// Returns the plan that shows as much as possible within the time. It shows all requested renditions, the first
    /// image of an animation, smaller images, or only the thumbnail. The last resort is the fastest plan.
    ///
    /// - Parameter time: The available time in microseconds of the machine of the cost estimates; `nil` means no limit.
    static func fitting(
        _ specs: [RenditionSpec], of facts: ImageFacts, byteCount: Int, in time: Double?
    ) throws(TranscodeFailure) -> TranscodePlan {
        let whole = try TranscodePlan(specs, of: facts, byteCount: byteCount)
        var (best, least) = (whole, whole.cost)
        for (specs, reduction) in specs.reductions(showMotion: whole.showsMotion) {
            var smaller = try TranscodePlan(specs, of: facts, byteCount: byteCount)
            least = min(least, smaller.cost)
            // A plan that shows less is chosen only if it takes at least 10 % less time.
            guard best.cost > time ?? .infinity, smaller.cost < best.cost * 0.9 else { continue }
            smaller.reduction = reduction
            best = smaller
        }
        (best.orderedCost, best.minCost) = (whole.cost, least)
        return best
    }

    /// Whether the attachment is a video or an animation.
    private var showsMotion: Bool {
        zip(specs, plans).contains { order, plan in
            switch plan {
            case .animation: true
            case .copy: order.role == .attachment && facts.isAnimated
            case .still, .part: false
            }
        }
    }
}

extension [RenditionSpec] {
    /// The lower limit of a substitute's longest side, in pixels. Smaller images are not worth their transfer.
    private static var minSide: UInt32 { 96 }

    private func side(_ role: RenditionKind) -> UInt32? { first { $0.role == role }?.imageSide }

    /// Returns the substitutes for the requested renditions, each faster than the previous one. The first substitutes
    /// are still images with the full side, a half, a quarter and an eighth of the side. The last substitutes are
    /// images with the thumbnail's size or half of that size, without a thumbnail.
    fileprivate func reductions(showMotion moves: Bool) -> [(specs: [RenditionSpec], RenditionReduction)] {
        let side = side(.attachment) ?? 0
        let thumbnail = self.side(.thumbnail).flatMap { $0 < side ? $0 : nil }
        let least = Swift.max(Self.minSide, (thumbnail ?? 0) + 1)
        let reduction: RenditionReduction = moves ? .still : .smaller
        var reductions = [side, side / 2, side / 4, side / 8].filter { $0 >= least }.map { side in
            (map { $0.still(atMost: side) }, reduction)
        }
        // The outputs are in the order of the specs, so only the last ones can be omitted.
        if let thumbnail, last?.role == .thumbnail {
            let others = prefix { $0.role != .thumbnail }
            for side in [thumbnail, thumbnail / 2] where side == thumbnail || side >= Self.minSide {
                reductions.append((others.map { $0.still(atMost: side) }, moves ? .still : .thumbnail))
            }
        }
        return reductions
    }
}

extension RenditionSpec {
    fileprivate func still(atMost side: UInt32) -> RenditionSpec {
        var order = self
        order.imageSide = Swift.min(imageSide, side)
        order.takesAnimations = false
        return order
    }
}

/// The way in which the rendition of one spec is made.
enum ImagePlan {
    /// The source is copied without its metadata.
    case copy
    /// A still image of this upright size is made.
    case still(PixelSize)
    /// A still image of a part is made.
    case part(ClippedStill)
    /// The animation is transcoded.
    case animation

    /// Chooses the plan for a rendition spec.
    ///
    /// - Throws: `internalFault` for a spec that no image can meet.
    init(_ order: RenditionSpec, facts: ImageFacts) throws(TranscodeFailure) {
        guard order.role != .poster else { throw .internalFault("an image has no poster") }
        let moves = order.role == .attachment && facts.isAnimated && !order.isMask
        if moves, facts.fits(order) {
            self = .copy
        } else if let part = ClippedStill(order, of: facts.uprightSize) {
            self = .part(part)
        } else if facts.fits(order) {
            self = .copy
        } else if moves, facts.delays.count > 1, order.takesAnimations {
            self = .animation
        } else {
            self = .still(facts.uprightSize.fitting(longestSide: Int(order.imageSide)))
        }
    }

    var isCopy: Bool { if case .copy = self { true } else { false } }

    var stillSize: PixelSize? { if case .still(let size) = self { size } else { nil } }

    var part: ClippedStill? { if case .part(let still) = self { still } else { nil } }
}
