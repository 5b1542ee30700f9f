/// The format of a source, decided by its bytes before the job is sent.
///
/// The worker opens FFmpeg with exactly this demuxer and never probes: a file that lies about its type cannot reach
/// another demuxer (playlists and references are formats of their own, and none of them is here).
package enum SourceFormat: UInt8, Sendable, Equatable, CaseIterable {
    case jpeg = 1
    case png
    case gif
    case webp
    /// MP4, QuickTime and their relatives (ISO 14496-12).
    case mp4
    /// HEIC and AVIF: pictures of HEVC and AV1 in the same boxes.
    case heif
    case bmp
    case tiff
    case ico
    /// WebM is a kind of it.
    case matroska
    case avi
    case mpegPS
    case mpegTS
    case mp3
    /// AAC in the frames of broadcasts (ADTS).
    case aac
    case wav
    case aiff
    case ogg
    case flac
    case amr
    case caf
    case au
    /// Sony's form of WAV, with lengths of 64 bits.
    case w64
    /// Windows Media.
    case asf
    case flv

    package enum Kind: Sendable {
        case picture
        /// Pictures that follow each other, or a sound alone.
        case video
        case sound
    }

    package var kind: Kind {
        switch self {
        case .jpeg, .png, .gif, .webp, .heif, .bmp, .tiff, .ico: .picture
        case .mp4, .matroska, .avi, .mpegPS, .mpegTS, .asf, .flv: .video
        case .mp3, .aac, .wav, .aiff, .ogg, .flac, .amr, .caf, .au, .w64: .sound
        }
    }
}

/// The use of a rendition.
package enum RenditionRole: UInt8, Sendable, Equatable, CaseIterable {
    /// The media itself, made to fit what the profile takes.
    case attachment = 1
    /// The small picture, of a picture or of a video's frame.
    case thumbnail
    /// A still of a video at up to the profile's picture size.
    case poster
}

/// The container of a rendition that a worker made.
package enum RenditionFormat: UInt8, Sendable, Equatable, CaseIterable {
    case jpeg = 1
    case png
    case gif
    case mp4
    /// AAC or Apple Lossless in an MP4 without a picture.
    case m4a
    case mp3
    case wav
    case aiff
    case webp
    case avif

    package var isSound: Bool { [.m4a, .mp3, .wav, .aiff].contains(self) }
}

/// One rendition that a job asks for. The n-th order is written to the n-th output descriptor of the job.
package struct RenditionSpec: Sendable, Equatable {
    package var role: RenditionRole
    /// Longest side in pixels after orientation, for pictures (attachment, thumbnail, poster). 1…16,384.
    package var pictureSide: UInt32
    /// Longest side in pixels for a video attachment that is encoded again. 1…16,384.
    package var videoSide: UInt32
    /// Longest side in pixels for a video attachment that is copied. 1…16,384.
    package var copiedVideoSide: UInt32
    /// Most bytes that a picture rendition may have.
    package var pictureBytes: UInt64
    /// Quality of a JPEG on libjpeg's scale, 1…100. A JPEG with too many bytes gets a lower quality.
    package var jpegQuality: UInt8
    /// Most bytes that a video rendition may have.
    package var videoBytes: UInt64
    /// Most bytes that a sound rendition may have.
    package var soundBytes: UInt64
    /// For stills of a video: the wanted time in milliseconds; the keyframe at or before it is taken. `nil`: the first.
    package var stillAtMilliseconds: UInt32?
    /// For thumbnails: the part that it shows. `nil`: the whole picture.
    package var clip: ClipRect?
    /// For attachments that are pictures: how many times as wide as high it is at least; what is higher is cut to it
    /// around its centre. `nil`: it stays whole.
    package var leastAspect: UInt32?
    /// The picture becomes white, and as opaque as it stands out.
    package var isMask: Bool
    /// Whether videos with HEVC are copied. Otherwise they are encoded again.
    package var copiesHEVC: Bool
    /// Whether an animation that is transcoded may become a video; else it becomes a GIF.
    package var takesVideos: Bool
    /// Whether an animation that is not copied stays one; else it becomes a still.
    package var takesAnimations: Bool
    /// Whether animations of WebP and AVIF are copied.
    package var takesWebAnimations: Bool

    package init(
        role: RenditionRole, pictureSide: UInt32, videoSide: UInt32, copiedVideoSide: UInt32, pictureBytes: UInt64,
        jpegQuality: UInt8, videoBytes: UInt64, soundBytes: UInt64, stillAtMilliseconds: UInt32? = nil,
        clip: ClipRect? = nil, leastAspect: UInt32? = nil, isMask: Bool = false, copiesHEVC: Bool = false,
        takesVideos: Bool = true, takesAnimations: Bool = true, takesWebAnimations: Bool = false
    ) {
        self.role = role
        self.pictureSide = pictureSide
        self.videoSide = videoSide
        self.copiedVideoSide = copiedVideoSide
        self.pictureBytes = pictureBytes
        self.jpegQuality = jpegQuality
        self.videoBytes = videoBytes
        self.soundBytes = soundBytes
        self.stillAtMilliseconds = stillAtMilliseconds
        self.clip = clip
        self.leastAspect = leastAspect
        self.isMask = isMask
        self.copiesHEVC = copiesHEVC
        self.takesVideos = takesVideos
        self.takesAnimations = takesAnimations
        self.takesWebAnimations = takesWebAnimations
    }
}

/// The largest cost of a source. A source that would cost more is refused because of its headers, before it is decoded.
package struct DecodeLimits: Sendable, Equatable {
    /// Most pixels of a JPEG, whose decoder scales while it decodes.
    package var scalablePixels: UInt64
    /// Most bytes that the full decoded picture of any other format may take.
    package var decodedBytes: UInt64
    package var frames: UInt32
    package var durationMilliseconds: UInt64
    /// Most scans of a progressive JPEG.
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

/// One source and the renditions wanted of it. Travels with 1 + `orders.count` descriptors: the input, opened for
/// reading, then one output for each order, opened for reading and writing, empty.
package struct TranscodeJob: Sendable, Equatable {
    package var id: UInt32
    package var format: SourceFormat
    package var limits: DecodeLimits
    /// At most `TranscodeWire.mostOrders`.
    package var orders: [RenditionSpec]
    /// The time at which the renditions are wanted, in microseconds of `MonotonicClock`. A rendition that would take
    /// longer is made smaller, or becomes a still. `nil`: there is no deadline.
    package var deadline: UInt64?
    /// How fast this machine is at the moment.
    package var pace: SpeedEstimate
    /// Whether a damaged picture is made of the part of it that can be decoded.
    package var showsDamage: Bool
    /// Whether the source is the first bytes of a file. A still is made of it.
    package var isPart: Bool

    package init(
        id: UInt32, format: SourceFormat, limits: DecodeLimits = DecodeLimits(), orders: [RenditionSpec],
        deadline: UInt64? = nil, pace: SpeedEstimate = SpeedEstimate(), showsDamage: Bool = false, isPart: Bool = false
    ) {
        self.id = id
        self.format = format
        self.limits = limits
        self.orders = orders
        self.deadline = deadline
        self.pace = pace
        self.showsDamage = showsDamage
        self.isPart = isPart
    }
}

/// A part of an upright picture, in millionths of its sides from the upper left corner.
package struct ClipRect: Sendable, Equatable {
    package static let whole: UInt32 = 1_000_000

    package var x: UInt32
    package var y: UInt32
    package var width: UInt32
    package var height: UInt32

    package init(x: UInt32, y: UInt32, width: UInt32, height: UInt32) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
