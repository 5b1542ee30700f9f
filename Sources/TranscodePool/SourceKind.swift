import LinuxIO
import MediaHeaders
import NotificationModel
import TranscodeProtocol

/// What a fetched medium is, by its first bytes.
struct SourceKind {
    let format: SourceFormat
    let mimeType: String

    /// - Throws: `corrupt-media` for an empty file, `unsupported-media` for what no rendition is made of.
    static func inspect(_ media: FetchedMedia) throws(MediaFailure) -> SourceKind {
        let prefix: [UInt8]
        do {
            prefix = try FileSystem.bytes(of: media.file, at: 0, count: MediaSignature.wantedBytes)
        } catch {
            throw MediaFailure(.storageFailed, "the download cannot be read: \(error)")
        }
        guard !prefix.isEmpty else { throw MediaFailure(.corruptMedia, "the file is empty") }
        let declared = media.declaredType.map { ", declared as \($0.prefix(100))" } ?? ""
        guard let signature = MediaSignature.of(prefix.span) else {
            throw MediaFailure(.unsupportedMedia, "the bytes are of no known media type\(declared)")
        }
        switch signature {
        case .jpeg: return SourceKind(format: .jpeg, mimeType: "image/jpeg")
        case .png: return SourceKind(format: .png, mimeType: "image/png")
        case .gif: return SourceKind(format: .gif, mimeType: "image/gif")
        case .webp: return SourceKind(format: .webp, mimeType: "image/webp")
        case .heic: return SourceKind(format: .heif, mimeType: "image/heic")
        case .avif: return SourceKind(format: .heif, mimeType: "image/avif")
        case .bmp: return SourceKind(format: .bmp, mimeType: "image/bmp")
        case .tiff: return SourceKind(format: .tiff, mimeType: "image/tiff")
        case .ico: return SourceKind(format: .ico, mimeType: "image/x-icon")
        case .mp4: return SourceKind(format: .mp4, mimeType: "video/mp4")
        default:
            throw MediaFailure(
                .unsupportedMedia, "the bytes are \(signature.label)\(declared)", sourceType: signature.mimeType)
        }
    }

    /// What a form wants of it: the medium itself, a small picture, unless it is hidden, and of a video a still besides.
    func orders(for request: TranscodeRequest) -> [RenditionSpec] {
        let form = request.form
        let still = request.options.thumbnailTime.map { UInt32(clamping: Int64(max(0, min($0, 86_400)) * 1_000)) }
        func order(_ role: RenditionRole, side: Int) -> RenditionSpec {
            RenditionSpec(
                role: role, pictureSide: UInt32(clamping: side), videoSide: UInt32(clamping: form.videoSide),
                pictureBytes: UInt64(clamping: form.pictureBytes), jpegQuality: UInt8(clamping: form.jpegQuality),
                videoBytes: UInt64(clamping: form.videoBytes),
                stillAtMilliseconds: role == .attachment ? nil : still)
        }
        var attachment = order(.attachment, side: form.pictureSide)
        attachment.leastAspect = form.leastAspect.map { UInt32(clamping: $0) }
        attachment.isMask = form.isMask
        attachment.takesVideos = form.takesVideos
        var orders = [attachment]
        if let side = form.thumbnailSide, !request.options.thumbnailHidden {
            var thumbnail = order(.thumbnail, side: side)
            thumbnail.clip = request.options.thumbnailClip.map(ClipRect.init)
            orders.append(thumbnail)
        }
        return format == .mp4 ? orders + [order(.poster, side: form.pictureSide)] : orders
    }
}

extension ClipRect {
    /// - Parameter rect: within the picture.
    fileprivate init(_ rect: AttachmentOptions.ClippingRect) {
        func millionths(_ value: Double) -> UInt32 { UInt32((value * Double(Self.whole)).rounded()) }
        let (x, y) = (millionths(rect.x), millionths(rect.y))
        // Even a part that is thinner than that is a part, and none begins behind the end.
        self.init(
            x: min(x, Self.whole - 1), y: min(y, Self.whole - 1), width: max(1, millionths(rect.x + rect.width) - x),
            height: max(1, millionths(rect.y + rect.height) - y))
    }
}
