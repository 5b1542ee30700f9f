import Base
import CFFmpeg
import TranscodeProtocol

/// The settings with which a video fits its size limit. The number of pixels is reduced first, then the bits for each
/// pixel, then the frame rate. Finally, only the beginning is kept. The type has no side effects.
struct VideoPlan: Equatable {
    /// The size of the encoded frames, which is even and upright.
    var size: PixelSize
    /// The frame rate, in frames per second.
    var frameRate: AVRational
    /// The limit of the bit rate; `nil` if only the quality decides.
    var limit: RateLimit?
    /// The bit rate of the sound in bits per second, if its own rate leaves too little for the video. `nil` keeps that.
    var soundBitRate: Int64?
    /// Whether the end of the video may be cut off to meet the size limit.
    var isCutToFit: Bool

    /// The bits for each pixel at which a video keeps its size.
    private static let goodBits = 0.04
    /// The bits for each pixel below which a lower frame rate looks better.
    private static let minBits = 0.03
    /// The longest side, in pixels, below which a video is not made smaller.
    private static let minSide = 320
    private static let minFrameRate = 10.0
    /// The assumed bit rate of a sound whose container states none, in bits per second.
    private static let assumedSound: Int64 = 128_000
    /// The lowest bit rate of an audio stream, in bits per second. At lower rates, speech cannot be understood.
    private static let minSound: Int64 = 16_000

    /// Chooses the settings for a rendition spec.
    ///
    /// - Parameter share: The part of the bytes to plan with, 0…1. A second attempt uses less.
    /// - Parameter isLastTry: Whether the end of the video may be cut off to meet the size limit.
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
            plan.soundBitRate = max(minSound, min(own, Int64(all / 3)))
        }
        let limit = try? RateLimit.fitting(
            bytes: order.videoBytes, milliseconds: milliseconds, audio: plan.soundBitRate ?? own, share: share)
        plan.limit = limit ?? RateLimit.least
        if limit == nil { plan.isCutToFit = true }
        plan.spend(Double(plan.limit?.bitsPerSecond ?? 0))
        return plan
    }

    /// Chooses the size and the frame rate for a bit rate.
    private mutating func spend(_ bits: Double) {
        let full = size
        func bitsPerPixel() -> Double { bits / (Double(size.pixels) * Double(frameRate.num) / Double(frameRate.den)) }
        for part in [0.75, 0.5, 0.375, 0.25] where bitsPerPixel() < Self.goodBits {
            let smaller = full.scaled(by: part)
            guard smaller.longestSide >= min(Self.minSide, full.longestSide) else { break }
            size = smaller
        }
        let all = frameRate
        for divisor in [Int32(2), 3] where bitsPerPixel() < Self.minBits {
            let rate = Double(all.num) / Double(all.den) / Double(divisor)
            guard rate >= Self.minFrameRate else { break }
            frameRate = AVRational(num: all.num, den: all.den * divisor)
        }
    }

    static func == (a: VideoPlan, b: VideoPlan) -> Bool {
        a.size == b.size && a.limit == b.limit && a.soundBitRate == b.soundBitRate && a.isCutToFit == b.isCutToFit
            && a.frameRate.num == b.frameRate.num && a.frameRate.den == b.frameRate.den
    }
}

extension PixelSize {
    /// Returns the size with its sides multiplied by `part` and rounded down to even numbers.
    fileprivate func scaled(by part: Double) -> PixelSize {
        PixelSize(max(2, Int(Double(width) * part)), max(2, Int(Double(height) * part))).even
    }
}

/// The bit rate that keeps a video within its size limit, as a leaky bucket.
struct RateLimit: Equatable {
    /// The rate of the bucket, in bits per second.
    var bitsPerSecond: Int64
    /// The size of the bucket, in bits. The first frames may use all of it at once.
    var bufferBits: Int32

    /// The lowest bit rate, in bits per second. At lower rates, a video is not worth watching.
    private static let minBitRate: Int64 = 32_000
    static let least = RateLimit(bitsPerSecond: minBitRate, bufferBits: Int32(minBitRate))

    /// Returns the limit for a video.
    ///
    /// - Parameter bytes: The largest size of the file. A twelfth is reserved for its index.
    /// - Parameter milliseconds: The duration of the video. If `nil`, the duration is unknown, and the result is `nil`.
    /// - Parameter audio: The bit rate of the copied sound, in bits per second.
    /// - Parameter share: The part of the bytes to use, 0…1. A second attempt uses less.
    /// - Throws: `tooLarge` if the rate would be below the lowest one.
    static func fitting(
        bytes: UInt64, milliseconds: UInt64?, audio: Int64, share: Double
    ) throws(TranscodeFailure) -> RateLimit? {
        guard let milliseconds, milliseconds > 0 else { return nil }
        let seconds = Double(milliseconds) / 1_000
        let buffer = min(1, seconds / 4)
        let bits = Double(bytes) * 8 * 11 / 12 - Double(audio) * seconds
        let rate = bits * share / (seconds + buffer)
        guard rate >= Double(minBitRate) else {
            throw .tooLarge("\(milliseconds) ms of video do not fit into \(bytes) bytes")
        }
        // A rate of 1 Gbit/s is no real limit, and fits the encoder's fields.
        let limited = min(rate, 1e9)
        return RateLimit(bitsPerSecond: Int64(limited), bufferBits: Int32(limited * buffer))
    }
}
