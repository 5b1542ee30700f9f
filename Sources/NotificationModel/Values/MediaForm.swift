/// How a profile wants a medium that is shown in one role. Sides are pixels after orientation; caps are bytes.
package struct MediaForm: Sendable, Hashable {
    /// Longest side of a picture.
    package var pictureSide: Int
    /// Most bytes of a picture.
    package var pictureBytes: Int
    /// Of JPEGs, libjpeg's: 1…100. One of too many bytes gets a lower one.
    package var jpegQuality = Self.standardQuality
    /// Longest side of the small picture that is made besides; `nil`: none is.
    package var thumbnailSide: Int?
    /// How many times as wide as high a picture is at least: what is higher is cut to it around its centre. `nil`:
    /// pictures stay whole.
    package var leastAspect: Int?
    /// Only the picture's shape is shown: it becomes white, and as opaque as it stands out.
    package var isMask = false
    /// Longest side of a video.
    package var videoSide = 1_280
    /// Most bytes of a video.
    package var videoBytes = 50 << 20
    /// An animation that does not fit becomes a video; else a still.
    package var takesVideos = true

    /// Hardly anybody sees a difference from the original.
    package static let standardQuality = 85

    package init(pictureSide: Int, pictureBytes: Int, thumbnailSide: Int? = nil) {
        self.pictureSide = pictureSide
        self.pictureBytes = pictureBytes
        self.thumbnailSide = thumbnailSide
    }

    /// The same, with pictures of no more bytes than that.
    package func holding(_ bytes: Int?) -> MediaForm {
        var form = self
        form.pictureBytes = min(pictureBytes, bytes ?? .max)
        return form
    }

    /// The form of a picture that belongs to a video: whole, and with the video's longest side.
    var besideVideo: MediaForm {
        var form = self
        form.pictureSide = videoSide
        form.leastAspect = nil
        form.thumbnailSide = nil
        return form
    }

    /// The same, with JPEGs of that quality.
    package func ofQuality(_ quality: Int) -> MediaForm {
        var form = self
        form.jpegQuality = quality
        return form
    }
}
