import Base
import LinuxIO
import MediaHeaders
import NotificationModel
import TranscodeProtocol

/// The properties of a fetched media item, found from its first bytes.
struct TranscodeSource {
    /// The largest number of bytes that are read for the size of an image. The size in a JPEG comes after its metadata.
    private static let headerBytes = 128 << 10
    private static let maxTags = 8

    let format: MediaFormat
    let mimeType: String
    let byteCount: Int
    /// Whether the file has only the first bytes of a download.
    var isPart = false
    /// The number of pixels of an image; `nil` if its first bytes do not state the number, and for other media.
    var pixels: Int?

    /// The container of the source. Formats of one container take the same time.
    var container: MediaFormat { format.container }
    var isVideo: Bool { container.kind == .video }

    init(_ format: MediaFormat, mimeType: String? = nil, byteCount: Int) {
        self.format = format
        self.mimeType = mimeType ?? format.mimeType
        self.byteCount = byteCount
    }

    /// Finds the format and the size of a media item.
    ///
    /// - Throws: `corrupt-media` for an empty file, and `unsupported-media` for a format that is not transcoded.
    static func inspect(_ media: FetchedMedia) throws(MediaFailure) -> TranscodeSource {
        let prefix: [UInt8]
        do { prefix = try FileSystem.bytes(of: media.file, at: 0, count: MediaSignature.wantedBytes) } catch {
            throw MediaFailure(.storageFailed, "the download cannot be read: \(error)")
        }
        guard !prefix.isEmpty else { throw MediaFailure(.corruptMedia, "the file is empty") }
        guard let signature = MediaSignature.of(prefix.span) ?? signature(behindZerosOf: media), signature.isDecoded
        else { throw refusal(prefix, media) }
        let format = signature == .mp3 ? taggedSound(media, prefix) : signature
        let isOggVideo = format == .ogg && MediaSignature.hasOggVideo(prefix.span)
        var source = TranscodeSource(format, mimeType: isOggVideo ? "video/ogg" : nil, byteCount: media.byteCount)
        source.isPart = media.isPart
        // The screen of a GIF says little about the cost of its frames.
        if format.kind == .image, format != .gif,
            let header = try? FileSystem.bytes(of: media.file, at: 0, count: min(media.byteCount, headerBytes))
        {
            source.pixels = PixelSize(statedBy: header, as: format).map { Int(truncatingIfNeeded: $0.pixels) }
        }
        return source
    }

    /// Returns the format of a sound that begins with ID3 tags. Some programs also add these tags to FLAC and AAC.
    private static func taggedSound(_ media: FetchedMedia, _ prefix: [UInt8]) -> MediaFormat {
        var offset = 0
        for _ in 0..<maxTags {
            let head = offset == 0 ? prefix : (try? FileSystem.bytes(of: media.file, at: offset, count: 16)) ?? []
            guard let length = ID3Tag.byteCount(of: head.span) else {
                let sound = MediaSignature.of(head.span)
                return sound == .flac || sound == .aac ? sound ?? .mp3 : .mp3
            }
            offset += length
        }
        return .mp3
    }

    /// Returns the signature of an MP3 after leading zeros, which some recorders leave; `nil` for any other file.
    private static func signature(behindZerosOf media: FetchedMedia) -> MediaFormat? {
        let count = MediaSignature.maxLeadingZeros
        guard let bytes = try? FileSystem.bytes(of: media.file, at: 0, count: count + MediaSignature.wantedBytes),
            let start = bytes.firstIndex(where: { $0 != 0 }), start > 0
        else { return nil }
        return MediaSignature.of(bytes.span.extracting(start..<bytes.count)) == .mp3 ? .mp3 : nil
    }

    private static func refusal(_ prefix: [UInt8], _ media: FetchedMedia) -> MediaFailure {
        MediaFailure(
            .unsupportedMedia, MediaSignature.refusal(of: prefix.span, declaredType: media.declaredType),
            sourceType: MediaSignature.of(prefix.span)?.reportedMIMEType)
    }

    /// Returns whether a still image can be made from the first bytes of a file of this format.
    func showsParts(_ form: MediaForm) -> Bool {
        isVideo || form.damaged == .show && [.jpeg, .png, .gif].contains(format)
    }
}

extension PixelSize {
    /// Reads the size that the first bytes of an image state.
    ///
    /// - Returns: `nil` if the bytes do not state the size, and for other formats.
    init?(statedBy bytes: [UInt8], as format: MediaFormat) {
        func number(at offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        let size: (width: Int, height: Int)? =
            switch format {
            case .jpeg: (try? JPEGHeader(bytes.span)).map { ($0.width, $0.height) }
            case .png: (try? PNGHeader(bytes.span)).map { ($0.width, $0.height) }
            case .webp: (try? WebPHeader(bytes.span)).map { ($0.width, $0.height) }
            case .avif: (try? HEIFHeader(bytes.span)).map { ($0.width, $0.height) }
            // The parser of GIF headers needs the whole file, but the screen's size is in the first bytes.
            case .gif where bytes.count >= 10: (number(at: 6), number(at: 8))
            default: nil
            }
        guard let size else { return nil }
        self.init(width: size.width, height: size.height)
    }
}

extension TranscodeSource {
    /// Returns the renditions to make: the attachment, the thumbnail if the form has one that is not hidden, and the
    /// poster of a video.
    func specs(for request: TranscodeRequest) -> [RenditionSpec] {
        let form = request.form
        let still = request.options.thumbnailTime.map { UInt32(clamping: Int64(max(0, min($0, 86_400)) * 1_000)) }
        func order(_ role: RenditionKind, side: Int) -> RenditionSpec {
            RenditionSpec(
                role: role, imageSide: UInt32(clamping: side), videoSide: UInt32(clamping: form.videoSide),
                copiedVideoSide: UInt32(clamping: form.copiedVideoSide), imageBytes: UInt64(clamping: form.imageBytes),
                jpegQuality: UInt8(clamping: form.jpegQuality),
                videoBytes: UInt64(clamping: form.videoBytes), soundBytes: UInt64(clamping: form.soundBytes),
                stillAtMilliseconds: role == .attachment ? nil : still)
        }
        var attachment = order(.attachment, side: form.imageSide)
        attachment.minAspect = form.minAspect.map { UInt32(clamping: $0) }
        attachment.isMask = form.isMask
        attachment.copiesHEVC = form.copiesHEVC
        attachment.takesVideos = form.takesVideos
        attachment.takesAnimations = form.takesAnimations
        attachment.takesWebAnimations = form.takesWebAnimations
        var specs = [attachment]
        if let side = form.thumbnailSide, !request.options.thumbnailHidden {
            var thumbnail = order(.thumbnail, side: side)
            thumbnail.clip = request.options.thumbnailClip.map { Rectangle(millionths: $0) }
            specs.append(thumbnail)
        }
        return isVideo ? specs + [order(.poster, side: form.imageSide)] : specs
    }

    /// Returns the use of the scratch file to which the rendition of a spec is written.
    func output(of order: RenditionSpec) -> ScratchUse {
        order.role == .attachment && (format.kind != .image || format.mayBeAnimated) ? .video : .image
    }
}
