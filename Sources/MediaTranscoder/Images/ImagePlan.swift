import MediaTypes
import TranscodeProtocol

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
        guard order.role != .poster else {
            throw TranscodeFailure(.internalFault, "an image has no poster")
        }
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

    var isCopy: Bool {
        if case .copy = self { true } else { false }
    }

    var stillSize: PixelSize? {
        if case .still(let size) = self { size } else { nil }
    }

    var part: ClippedStill? {
        if case .part(let still) = self { still } else { nil }
    }
}
