package import Base
package import NotificationModel

extension ImageForm {
    /// Creates the form of a rendition of an image for a profile. An animation is not cropped.
    package init(of kind: RenditionKind, frames: Int, as form: MediaForm) {
        let isThumbnail = kind == .thumbnail
        self.init(
            side: isThumbnail ? form.thumbnailSide ?? 0 : form.imageSide,
            isCut: !isThumbnail && frames == 1 && form.minAspect == 2, maxBytes: form.imageBytes)
    }
}
