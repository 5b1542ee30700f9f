import Base
import MediaHeaders
import TranscodeProtocol

/// An estimate of the time that a plan takes, in microseconds.
///
/// The numbers are for one core of an AMD EPYC. The cases of `media-bench` took 0.54 to 1.23 times the estimates.
/// `SpeedEstimate` learns the factor of the machine.
extension TranscodePlan {
    var cost: Double { Self.start + decoding + making }

    /// The time to open the decoder, the encoder and a file.
    private static let start = 2_000.0

    private var decoding: Double {
        let (pixels, bytes) = (Double(facts.size.pixels), Double(decodedByteCount))
        return switch facts.format {
        case .jpeg: jpeg(pixels, bytes)
        case .heic, .avif: heif
        case .png: pixels * 0.014 + bytes * 0.005
        case .gif: pixels * 0.015
        case .webp: pixels * 0.012 + bytes * 0.020
        default: pixels * 0.004 + bytes * 0.004
        }
    }

    /// Returns the time to decode a JPEG. It depends on the bytes, which are all read, and on the resulting pixels. A
    /// JPEG with several scans also stores the coefficients of the whole image, unless only the lowest are kept.
    private func jpeg(_ pixels: Double, _ bytes: Double) -> Double {
        let halvings = ImageDecoding.halvings(from: facts.size, to: wanted)
        let decoded = pixels / Double(1 << (2 * halvings)) * 0.005
        guard facts.memory.kept > 0 else { return bytes * 0.0085 + decoded }
        let end = facts.endsOfScans[halvings]
        let keepsLowest = end != nil && halvings > 1
        return (end.map(Double.init) ?? bytes) * 0.026 + (keepsLowest ? 0 : pixels * 0.0007) + decoded
    }

    private var heif: Double {
        guard let header = facts.heif else { return 0 }
        let image = header.alpha == nil ? header.thumbnail(for: wanted) ?? header.image : header.image
        let bytes = image.tiles.flatMap(\.extents).reduce(0) { $0 + $1.count }
        return switch image.codec {
        case .hevc, .jpeg: Double(image.pixels) * 0.007 + Double(bytes) * 0.030
        case .av1: Double(image.pixels) * 0.014 + Double(bytes) * 0.090
        }
    }

    /// The time to scale and encode each rendition. A video is made from all frames of the animation.
    private var making: Double {
        var time = Double(min(facts.size.pixels, wanted.pixels * 4)) * 0.003
        for (plan, order) in zip(plans, specs) {
            switch plan {
            case .copy: time += Double(facts.kept?.byteCount ?? 0) * 0.001
            case .still(let size): time += still(size)
            case .part(let part): time += still(part.size)
            case .animation:
                let side = order.takesVideos ? order.videoSide : order.imageSide
                let size = facts.size.fitting(longestSide: Int(side))
                // A GIF is decoded and scaled twice, and once more if its first attempt does not fit.
                let (source, made) = order.takesVideos ? (0.010, 0.025) : (0.045, 0.120)
                time += Double(facts.frames) * (Double(facts.size.pixels) * source + Double(size.pixels) * made)
            }
        }
        return time
    }

    /// Returns the time to encode a still image. A PNG takes seven times as long as a JPEG.
    private func still(_ size: PixelSize) -> Double {
        let isGraphic = [.png, .gif, .ico].contains(facts.format)
        return Double(size.pixels) * (isGraphic ? 0.080 : 0.012)
    }

    private var decodedByteCount: Int { facts.decoded?.reduce(0) { $0 + $1.count } ?? byteCount }
}
