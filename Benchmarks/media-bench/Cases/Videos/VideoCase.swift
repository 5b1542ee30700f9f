import Base
import NotificationModel
import TranscodeProtocol

/// A job of the worker with a video or an animation. Its raw value is the argument `--job` of the worker.
enum VideoCase: String, CaseIterable, Sendable {
    case poster
    /// A video that meets the profile is copied into a new file. As for all videos, the worker decodes a key frame.
    case remux
    case transcode
    case animation
    /// All renditions for a notification of the profile `ios`.
    case everyday

    var input: InputVideo {
        switch self {
        case .poster, .remux, .transcode: .clip
        case .animation: .animation
        case .everyday: .everyday
        }
    }

    /// The description of the work for people.
    var words: String {
        switch self {
        case .poster: "\(input.words) → poster of \(Self.posterSide)"
        case .remux: "\(input.words), copied into a new file"
        case .transcode: "\(input.words) → \(Self.transcodedSide)"
        case .animation: "\(input.words) → MP4"
        case .everyday: "\(input.words) → copy, thumbnail and poster of the profile `ios`"
        }
    }

    /// The limit of the processor time: a ratio to the peer's time, or milliseconds for a case without a peer.
    var maxProcessorTime: Double {
        switch self {
        case .poster: 0.25
        case .remux: 0.5
        case .transcode, .animation: 1.1
        case .everyday: 50
        }
    }

    /// The format of the first rendition. If the worker creates another format, the case does not measure its work.
    var outputFormat: MediaFormat { self == .poster ? .jpeg : .mp4 }

    /// Whether x264 encodes the first rendition.
    var isEncoded: Bool { self == .transcode || self == .animation }

    private static let posterSide = 512
    private static let transcodedSide = 1_280

    /// The rendition specs that the daemon would send, each for one file.
    var specs: [RenditionSpec] {
        var form = MediaProfile.ios.attachment
        switch self {
        case .poster: return [form.order(.poster, side: Self.posterSide)]
        case .remux: return [form.order(.attachment, side: form.imageSide)]
        case .transcode:
            (form.videoSide, form.copiedVideoSide) = (Self.transcodedSide, Self.transcodedSide)
            return [form.order(.attachment, side: form.imageSide)]
        case .animation:
            // The limit is less than the size of the GIF, so that the GIF becomes a video.
            form.imageBytes = 1_000_000
            return [form.order(.attachment, side: form.imageSide)]
        case .everyday:
            return [
                form.order(.attachment, side: form.imageSide),
                form.order(.thumbnail, side: form.thumbnailSide ?? form.imageSide),
                form.order(.poster, side: form.imageSide),
            ]
        }
    }

    /// The file name for each rendition spec.
    var outputNames: [String] { specs.map { "\($0.role)" } }
}

extension MediaForm {
    fileprivate func order(_ role: RenditionKind, side: Int) -> RenditionSpec {
        RenditionSpec(
            role: role, imageSide: UInt32(side), videoSide: UInt32(videoSide),
            copiedVideoSide: UInt32(copiedVideoSide), imageBytes: UInt64(imageBytes),
            jpegQuality: UInt8(jpegQuality), videoBytes: UInt64(videoBytes), soundBytes: UInt64(soundBytes))
    }
}
