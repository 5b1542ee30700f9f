import MediaTypes
import NotificationModel
import TranscodeProtocol

extension TranscodeSource {
    /// Returns the renditions to make: the attachment, the thumbnail if the form has a thumbnail that is not hidden,
    /// and the poster of a video.
    func specs(for request: TranscodeRequest) -> [RenditionSpec] {
        let form = request.form
        let still = request.options.thumbnailTime.map { UInt32(clamping: Int64(max(0, min($0, 86_400)) * 1_000)) }
        func order(_ role: RenditionKind, side: Int) -> RenditionSpec {
            RenditionSpec(
                role: role, imageSide: UInt32(clamping: side), videoSide: UInt32(clamping: form.videoSide),
                copiedVideoSide: UInt32(clamping: form.copiedVideoSide),
                imageBytes: UInt64(clamping: form.imageBytes), jpegQuality: UInt8(clamping: form.jpegQuality),
                videoBytes: UInt64(clamping: form.videoBytes), soundBytes: UInt64(clamping: form.soundBytes),
                stillAtMilliseconds: role == .attachment ? nil : still)
        }
        var attachment = order(.attachment, side: form.imageSide)
        attachment.leastAspect = form.leastAspect.map { UInt32(clamping: $0) }
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
