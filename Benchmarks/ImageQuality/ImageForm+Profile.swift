package import NotificationModel

extension ImageForm {
    /// The form that a rendition of a picture is ordered in. An animation is not cut.
    package init(of kind: RenditionKind, frames: Int, as form: MediaForm) {
        let isThumbnail = kind == .thumbnail
        self.init(
            side: isThumbnail ? form.thumbnailSide ?? 0 : form.pictureSide,
            isCut: !isThumbnail && frames == 1 && form.leastAspect == 2, mostBytes: form.pictureBytes)
    }
}
