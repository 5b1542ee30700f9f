import CFFmpeg
import TranscodeProtocol

/// The form in which a video is encoded so that it stays within its bytes: fewer pixels first, then fewer bits for each,
/// then fewer frames, and at last only the beginning. Pure.
struct VideoPlan: Equatable {
    /// Even, upright.
    var size: PixelSize
    /// Frames a second.
    var frameRate: AVRational
    /// `nil`: the quality alone decides.
    var limit: RateLimit?
    /// Bits a second of the sound, where its own would leave too little for the picture; `nil`: as it is.
    var soundBitRate: Int64?
    /// The video ends where its bytes end.
    var isCutToFit: Bool

    /// Bits for each pixel with which a picture is good enough to keep its size.
    private static let goodBits = 0.04
    /// Bits for each pixel below which fewer frames show more.
    private static let leastBits = 0.03
    /// A longest side below which a picture is not made smaller.
    private static let leastSide = 320
    private static let leastFrameRate = 10.0
    /// Bits a second of a sound whose container does not say.
    private static let assumedSound: Int64 = 128_000
    /// Below this, speech is not understood.
    private static let leastSound: Int64 = 16_000

    /// - Parameters:
    ///   - share: the part of the bytes that is planned with, 0…1: less for a second try.
    ///   - isLastTry: the video may end where its bytes end.
    static func fitting(_ order: RenditionSpec, _ facts: VideoFacts, share: Double, isLastTry: Bool) -> VideoPlan {
        let full = facts.uprightSize.fitting(longestSide: Int(order.videoSide)).even
        var plan = VideoPlan(
            size: full, frameRate: facts.frameRate, limit: nil, soundBitRate: nil, isCutToFit: isLastTry)
        guard let milliseconds = facts.durationMilliseconds, milliseconds > 0 else {
            if share < 1 { plan.size = full.scaled(by: 0.5) }
            return plan
        }
        let all = Double(order.videoBytes) * 8 * 11 / 12 * share * 1_000 / Double(milliseconds)
        let own = facts.audio == nil ? 0 : facts.audioBitRate > 0 ? facts.audioBitRate : assumedSound
        if own > 0, Double(own) > all / 3 {
            plan.soundBitRate = max(leastSound, min(own, Int64(all / 3)))
        }
        let limit = try? RateLimit.fitting(
            bytes: order.videoBytes, milliseconds: milliseconds, audio: plan.soundBitRate ?? own, share: share)
        plan.limit = limit ?? RateLimit.least
        if limit == nil { plan.isCutToFit = true }
        plan.spend(Double(plan.limit?.bitsPerSecond ?? 0))
        return plan
    }

    /// Chooses size and frame rate for the bits of a second.
    private mutating func spend(_ bits: Double) {
        let full = size
        func bitsPerPixel() -> Double { bits / (Double(size.pixels) * Double(frameRate.num) / Double(frameRate.den)) }
        for part in [0.75, 0.5, 0.375, 0.25] where bitsPerPixel() < Self.goodBits {
            let smaller = full.scaled(by: part)
            guard smaller.longestSide >= min(Self.leastSide, full.longestSide) else { break }
            size = smaller
        }
        let all = frameRate
        for divisor in [Int32(2), 3] where bitsPerPixel() < Self.leastBits {
            let rate = Double(all.num) / Double(all.den) / Double(divisor)
            guard rate >= Self.leastFrameRate else { break }
            frameRate = AVRational(num: all.num, den: all.den * divisor)
        }
    }

    static func == (a: VideoPlan, b: VideoPlan) -> Bool {
        a.size == b.size && a.limit == b.limit && a.soundBitRate == b.soundBitRate && a.isCutToFit == b.isCutToFit
            && a.frameRate.num == b.frameRate.num && a.frameRate.den == b.frameRate.den
    }
}

extension PixelSize {
    /// A part of the sides, even.
    fileprivate func scaled(by part: Double) -> PixelSize {
        PixelSize(max(2, Int(Double(width) * part)), max(2, Int(Double(height) * part))).even
    }
}
