/// The handling of pictures that are damaged at their origin.
package enum DamagedMedia: String, Sendable, CaseIterable {
    /// The rows that can be decoded are shown, if they are at least half of all.
    case show
    case refuse
}

/// How a profile wants a medium that is shown in one role. Sides are pixels after orientation; caps are bytes.
package struct MediaForm: Sendable, Hashable {
    /// Longest side of a picture.
    package var pictureSide: Int
    /// Most bytes of a picture.
    package var pictureBytes: Int
    /// Quality of JPEGs on libjpeg's scale, 1…100. A JPEG with too many bytes gets a lower quality.
    package var jpegQuality = Self.standardQuality
    /// Longest side of the thumbnail. `nil`: there is no thumbnail.
    package var thumbnailSide: Int?
    /// Least quotient of a picture's width and its height. A higher picture is cut to this shape around its centre.
    /// `nil`: pictures stay whole.
    package var leastAspect: Int?
    /// Only the picture's shape is shown: it becomes white, and as opaque as it stands out.
    package var isMask = false
    /// Longest side of a video that is copied, because the platform plays it as it is.
    package var copiedVideoSide = Self.standardVideoSide
    /// Whether videos with HEVC are copied. Otherwise they are encoded again, with H.264.
    package var copiesHEVC = false
    /// Longest side of a video that is encoded again.
    package var videoSide = 1_280
    /// Most bytes of a video.
    package var videoBytes = 50 << 20
    /// Most bytes of a sound.
    package var soundBytes = 5 << 20
    /// Whether an animation that is transcoded may become a video; else it becomes a GIF.
    package var takesVideos = true
    /// Whether an animation that does not fit stays one; else it becomes a still.
    package var takesAnimations = true
    /// Whether animations of WebP and AVIF are copied.
    package var takesWebAnimations = false
    /// Whether a damaged picture is shown as far as it can be decoded.
    package var damaged = DamagedMedia.show

    /// Hardly anybody sees a difference from the original.
    package static let standardQuality = 85
    /// Phones film at this size, and play it.
    package static let standardVideoSide = 1_920

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

    /// The form of a picture that belongs to a video: whole, and with the longest side that the video may have.
    var besideVideo: MediaForm {
        var form = self
        form.pictureSide = copiedVideoSide
        form.leastAspect = nil
        form.thumbnailSide = nil
        return form
    }

    /// The same, with pictures whose longest side is at most that of a video; `nil`: there is no video.
    package func fitting(videoSide side: Int?) -> MediaForm {
        var form = self
        form.pictureSide = min(pictureSide, side ?? .max)
        return form
    }

    /// The same, as an operator prefers it. Platforms that show less than the usual size keep theirs.
    package func preferring(_ preferences: MediaPreferences) -> MediaForm {
        var form = self
        form.jpegQuality = preferences.jpegQuality
        if copiedVideoSide == Self.standardVideoSide { form.copiedVideoSide = preferences.videoSide }
        form.videoSide = min(videoSide, preferences.videoSide)
        form.damaged = preferences.damaged
        return form
    }
}

/// How an operator wants media to be made, for every profile.
package struct MediaPreferences: Sendable, Hashable {
    /// Quality of JPEGs on libjpeg's scale, 1…100.
    package var jpegQuality = MediaForm.standardQuality
    /// Longest side of a video that is copied, in pixels.
    package var videoSide = MediaForm.standardVideoSide
    package var damaged = DamagedMedia.show

    package init() {}
}
