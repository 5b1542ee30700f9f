package import NotificationModel

extension PictureForm {
    /// The form that a profile has for a rendition of a picture.
    package init(of kind: RenditionKind, in profile: MediaProfile) {
        self.init(
            side: kind == .thumbnail ? profile.thumbnailSide : profile.pictureSide, mostBytes: profile.pictureBytes)
    }
}
