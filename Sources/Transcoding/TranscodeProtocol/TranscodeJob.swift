package import Base

/// A rendition that a job requests. The rendition of index n is written to the output descriptor of index n.
package struct RenditionSpec: Sendable, Equatable {
    package var role: RenditionKind
    /// The longest side of an image (attachment, thumbnail or poster) after orientation, in pixels, 1…16,384.
    package var imageSide: UInt32
    /// The longest side of a video attachment that is encoded again, in pixels, 1…16,384.
    package var videoSide: UInt32
    /// The longest side of a video attachment that is copied, in pixels, 1…16,384.
    package var copiedVideoSide: UInt32
    /// The largest size of an image rendition, in bytes.
    package var imageBytes: UInt64
    /// The quality of a JPEG on libjpeg's scale, 1…100. A JPEG with too many bytes gets a lower quality.
    package var jpegQuality: UInt8
    /// The largest size of a video rendition, in bytes.
    package var videoBytes: UInt64
    /// The largest size of an audio rendition, in bytes.
    package var soundBytes: UInt64
    /// The time of a video's still image, in milliseconds. The keyframe up to it is used; `nil` for the first one.
    package var stillAtMilliseconds: UInt32?
    /// The part of the upright image that a thumbnail shows, in millionths of the sides; `nil` for the whole image.
    package var clip: Rectangle<UInt32>?
    /// The smallest ratio of width to height of an image attachment. A higher image is cropped; `nil` for no crop.
    package var minAspect: UInt32?
    /// Whether the image becomes a white shape. Its opacity is the image's alpha, or the contrast to the border.
    package var isMask: Bool
    /// Whether HEVC videos are copied. Otherwise, they are encoded again.
    package var copiesHEVC: Bool
    /// Whether an animation that is transcoded may become a video. Otherwise, it becomes a GIF.
    package var takesVideos: Bool
    /// Whether an animation that is not copied stays an animation. Otherwise, it becomes a still image.
    package var takesAnimations: Bool
    /// Whether animations of WebP and AVIF are copied.
    package var takesWebAnimations: Bool

    package init(
        role: RenditionKind, imageSide: UInt32, videoSide: UInt32, copiedVideoSide: UInt32, imageBytes: UInt64,
        jpegQuality: UInt8, videoBytes: UInt64, soundBytes: UInt64, stillAtMilliseconds: UInt32? = nil,
        clip: Rectangle<UInt32>? = nil, minAspect: UInt32? = nil, isMask: Bool = false, copiesHEVC: Bool = false,
        takesVideos: Bool = true, takesAnimations: Bool = true, takesWebAnimations: Bool = false
    ) {
        self.role = role
        self.imageSide = imageSide
        self.videoSide = videoSide
        self.copiedVideoSide = copiedVideoSide
        self.imageBytes = imageBytes
        self.jpegQuality = jpegQuality
        self.videoBytes = videoBytes
        self.soundBytes = soundBytes
        self.stillAtMilliseconds = stillAtMilliseconds
        self.clip = clip
        self.minAspect = minAspect
        self.isMask = isMask
        self.copiesHEVC = copiesHEVC
        self.takesVideos = takesVideos
        self.takesAnimations = takesAnimations
        self.takesWebAnimations = takesWebAnimations
    }
}

/// The limits of a source's cost. A source that exceeds one is refused after its headers are read.
package struct DecodeLimits: Sendable, Equatable {
    /// The maximum number of pixels of a JPEG. The decoder of this format scales the image while it decodes.
    package var scalablePixels: UInt64
    /// The maximum number of bytes of the decoded image, for any other format.
    package var decodedBytes: UInt64
    package var frames: UInt32
    package var durationMilliseconds: UInt64
    /// The maximum number of scans of a progressive JPEG.
    package var scans: UInt32

    package init(
        scalablePixels: UInt64 = 100_000_000, decodedBytes: UInt64 = 160_000_000, frames: UInt32 = 1_000,
        durationMilliseconds: UInt64 = 600_000, scans: UInt32 = 100
    ) {
        self.scalablePixels = scalablePixels
        self.decodedBytes = decodedBytes
        self.frames = frames
        self.durationMilliseconds = durationMilliseconds
        self.scans = scans
    }
}

/// A source, and the renditions that are made from it.
///
/// The message has 1 + `specs.count` descriptors. The first descriptor is the input, which is open for reading. The
/// other descriptors are the outputs, which are empty and open for reading and writing.
package struct TranscodeJob: Sendable, Equatable {
    package var id: UInt32
    /// The format of the source, one of `MediaFormat.decoded`. The source's bytes decide it before the job is sent.
    ///
    /// The worker opens exactly the demuxer of this format, so a file with a wrong type cannot reach another demuxer.
    package var format: MediaFormat
    package var limits: DecodeLimits
    /// The requested renditions, at most `TranscodeWire.maxSpecs`.
    package var specs: [RenditionSpec]
    /// The time at which the renditions are needed, in microseconds of `MonotonicClock`; `nil` if there is no deadline.
    /// A rendition that would take longer is made smaller, or becomes a still image.
    package var deadline: UInt64?
    /// The current speed of this machine.
    package var pace: SpeedEstimate
    /// Whether a rendition is made from the part of a damaged image that can be decoded.
    package var showsDamage: Bool
    /// Whether the source is only the beginning of a file, from which a still image is made.
    package var isPart: Bool

    package init(
        id: UInt32, format: MediaFormat, limits: DecodeLimits = DecodeLimits(), specs: [RenditionSpec],
        deadline: UInt64? = nil, pace: SpeedEstimate = SpeedEstimate(), showsDamage: Bool = false, isPart: Bool = false
    ) {
        self.id = id
        self.format = format
        self.limits = limits
        self.specs = specs
        self.deadline = deadline
        self.pace = pace
        self.showsDamage = showsDamage
        self.isPart = isPart
    }
}
