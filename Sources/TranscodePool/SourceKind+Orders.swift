import NotificationModel
import TranscodeProtocol

extension SourceKind {
    /// The renditions to make: the attachment, a thumbnail if the form has one and it is not hidden, and the poster of a video.
    func orders(for request: TranscodeRequest) -> [RenditionSpec] {
        let form = request.form
        let still = request.options.thumbnailTime.map { UInt32(clamping: Int64(max(0, min($0, 86_400)) * 1_000)) }
        func order(_ role: RenditionRole, side: Int) -> RenditionSpec {
            RenditionSpec(
                role: role, pictureSide: UInt32(clamping: side), videoSide: UInt32(clamping: form.videoSide),
                copiedVideoSide: UInt32(clamping: form.copiedVideoSide),
                pictureBytes: UInt64(clamping: form.pictureBytes), jpegQuality: UInt8(clamping: form.jpegQuality),
                videoBytes: UInt64(clamping: form.videoBytes), soundBytes: UInt64(clamping: form.soundBytes),
                stillAtMilliseconds: role == .attachment ? nil : still)
        }
        var attachment = order(.attachment, side: form.pictureSide)
        attachment.leastAspect = form.leastAspect.map { UInt32(clamping: $0) }
        attachment.isMask = form.isMask
        attachment.copiesHEVC = form.copiesHEVC
        attachment.takesVideos = form.takesVideos
        attachment.takesAnimations = form.takesAnimations
        attachment.takesWebAnimations = form.takesWebAnimations
        var orders = [attachment]
        if let side = form.thumbnailSide, !request.options.thumbnailHidden {
            var thumbnail = order(.thumbnail, side: side)
            thumbnail.clip = request.options.thumbnailClip.map(ClipRect.init)
            orders.append(thumbnail)
        }
        return format.kind == .video ? orders + [order(.poster, side: form.pictureSide)] : orders
    }

    /// The use of the file that an order's rendition is written to.
    func output(of order: RenditionSpec) -> ScratchUse {
        order.role == .attachment && (format.kind != .picture || format.mayBeAnimated) ? .video : .picture
    }
}

extension SourceFormat {
    /// Whether its pictures may be animations, which may become videos.
    fileprivate var mayBeAnimated: Bool { [.gif, .png, .webp, .heif].contains(self) }
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
