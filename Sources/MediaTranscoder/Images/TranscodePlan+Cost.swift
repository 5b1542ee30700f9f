import MediaHeaders
import TranscodeProtocol

/// About how long it takes, in microseconds.
///
/// The figures are of one core of an AMD EPYC. `media-bench`' cases took 0.54 to 1.23 of what these say of them;
/// `SpeedEstimate` learns how this machine differs.
extension TranscodePlan {
    var cost: Double { Self.start + decoding + making }

    /// Opening what decodes and encodes, and a file.
    private static let start = 2_000.0

    private var decoding: Double {
        let (pixels, bytes) = (Double(facts.size.pixels), Double(decodedByteCount))
        return switch facts.format {
        case .jpeg: jpeg(pixels, bytes)
        case .heif: heif
        case .png: pixels * 0.014 + bytes * 0.005
        case .gif: pixels * 0.015
        case .webp: pixels * 0.012 + bytes * 0.020
        default: pixels * 0.004 + bytes * 0.004
        }
    }

    /// The entropy-coded bytes, which all are read, and the pixels that come out. Of what has several scans, the
    /// coefficients of the whole picture too, unless only the lowest are kept.
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

    /// Scaling and encoding of each, and for a video all pictures of the animation.
    private var making: Double {
        var time = Double(min(facts.size.pixels, wanted.pixels * 4)) * 0.003
        for (plan, order) in zip(plans, orders) {
            switch plan {
            case .copy: time += Double(facts.kept?.byteCount ?? 0) * 0.001
            case .still(let size): time += still(size)
            case .part(let part): time += still(part.size)
            case .animation:
                let side = order.takesVideos ? order.videoSide : order.pictureSide
                let size = facts.size.fitting(longestSide: Int(side))
                // A GIF is decoded and scaled twice, and once more if it does not fit at once.
                let (source, made) = order.takesVideos ? (0.010, 0.025) : (0.045, 0.120)
                time += Double(facts.frames) * (Double(facts.size.pixels) * source + Double(size.pixels) * made)
            }
        }
        return time
    }

    /// A PNG takes seven times as long as a JPEG.
    private func still(_ size: PixelSize) -> Double {
        let isGraphic = [.png, .gif, .ico].contains(facts.format)
        return Double(size.pixels) * (isGraphic ? 0.080 : 0.012)
    }

    private var decodedByteCount: Int {
        facts.decoded?.reduce(0) { $0 + $1.count } ?? byteCount
    }
}
