import Base
import CFFmpeg
import Glibc
import TranscodeProtocol

/// The best JPEG of an image that fits a cap in bytes, of lower quality or size. Transparent parts are white.
struct JPEGUnderCap: ~Copyable {
    let packet: Packet
    let size: PixelSize

    /// Makes a JPEG within the cap.
    ///
    /// - Throws: `tooLarge` if no JPEG that is large enough to be useful fits the cap.
    static func make(
        _ image: borrowing ScaledImage, quality: Int, maxBytes: UInt64
    ) throws(TranscodeFailure) -> JPEGUnderCap {
        var photo = try ImageEncoding.photo(image)
        let encoder = try TurboEncoder.make()
        var search = SizeCapSearch(maxBytes: maxBytes, quality: quality)
        var fitting: Packet?
        while true {
            let packet = try encoder.jpeg(photo.frame, quality: search.quality)
            let count = packet.byteCount
            if UInt64(count) <= maxBytes { fitting = consume packet }
            switch search.attempt(bytes: count, longestSide: photo.size.longestSide) {
            case .quality: break
            case .shrink(let factor):
                let side = Int(Double(photo.size.longestSide) * factor)
                photo = try photo.reduced(to: photo.size.fitting(longestSide: max(SizeCapSearch.minSide, side)))
            case .done:
                guard let packet = fitting.take() else {
                    throw .internalFault("the search ended without a JPEG that fits")
                }
                return JPEGUnderCap(packet: packet, size: photo.size)
            case .impossible: throw .tooLarge("no JPEG of the image fits into \(maxBytes) bytes")
            }
        }
    }
}

/// A search for the best JPEG with at most a given number of bytes, in a few attempts. The search changes first the
/// quality and then the size. The type has no side effects.
///
/// Below a quality of 40, fewer pixels look better than a lower quality.
struct SizeCapSearch {
    /// The lowest quality before the size is reduced, in libjpeg's scale.
    private static let coarseEnough = 40
    /// The first quality that is tried below the wanted quality. Sizes at higher ones predict little about lower ones.
    private static let fineEnough = 85
    /// The quality after the image is made smaller. This quality leaves room for the error of the estimate.
    private static let afterShrinking = 70
    /// The largest number of attempts between a quality that fits and a quality that does not fit.
    private static let maxSteps = 2
    private static let maxShrinkings = 6
    /// The lower limit of the longest side, in pixels. In smaller images, nothing is recognizable.
    static let minSide = 16

    enum Step: Equatable {
        /// The last JPEG that fitted is the result.
        case done
        /// The same image is encoded again in this quality.
        case quality(Int)
        /// The sides are multiplied by this factor, and the image is encoded with the new value of `quality`.
        case shrink(Double)
        case impossible
    }

    private let maxBytes: Int
    private let finest: Int
    private(set) var quality: Int
    /// The best quality that fits, with its size in bytes; `nil` if none was found.
    private var fitting: (quality: Int, bytes: Int)?
    private var tooLarge: (quality: Int, bytes: Int)?
    private var steps = 0
    private var shrinkings = 0

    /// Creates a search for one image.
    ///
    /// - Parameter quality: The quality that is tried first. No higher one is tried.
    init(maxBytes: UInt64, quality: Int) {
        self.maxBytes = Int(clamping: maxBytes)
        self.quality = quality
        finest = quality
    }

    /// Evaluates an attempt with `quality`, and returns the next step.
    mutating func attempt(bytes: Int, longestSide: Int) -> Step {
        if bytes <= maxBytes {
            fitting = (quality, bytes)
            // For an image that was made smaller, the first quality that fits is enough.
            guard let tooLarge, shrinkings == 0, steps < Self.maxSteps, tooLarge.quality - quality > 3 else {
                return .done
            }
            return next(between: (quality, bytes), tooLarge)
        }
        tooLarge = (quality, bytes)
        if let fitting {
            guard steps < Self.maxSteps, quality - fitting.quality > 3 else { return .done }
            return next(between: fitting, (quality, bytes))
        }
        guard quality <= Self.fineEnough else { return ask(Self.fineEnough) }
        guard quality <= Self.coarseEnough else { return ask(Self.coarseEnough) }
        guard shrinkings < Self.maxShrinkings, longestSide > Self.minSide, bytes > 0 else { return .impossible }
        shrinkings += 1
        tooLarge = nil
        quality = min(finest, Self.afterShrinking)
        // The size grows with the area. 0.75 allows for the higher quality and for bytes that do not shrink.
        let factor = (Double(maxBytes) / Double(bytes)).squareRoot() * 0.75
        return .shrink(min(0.9, max(0.05, factor)))
    }

    /// Returns the next quality between two others. The logarithm of the size grows about linearly between them.
    private mutating func next(between low: (quality: Int, bytes: Int), _ high: (quality: Int, bytes: Int)) -> Step {
        steps += 1
        let range = log(Double(high.bytes) / Double(max(1, low.bytes)))
        let share = range > 0 ? log(Double(maxBytes) / Double(max(1, low.bytes))) / range : 0.5
        let guess = Double(low.quality) + share * Double(high.quality - low.quality) - 1
        return ask(min(high.quality - 1, max(low.quality + 1, Int(guess))))
    }

    private mutating func ask(_ quality: Int) -> Step {
        self.quality = quality
        return .quality(quality)
    }
}
