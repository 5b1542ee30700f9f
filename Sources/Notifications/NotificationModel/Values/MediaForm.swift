/// The handling of images that are damaged at their origin.
package enum DamagedMedia: String, Sendable, CaseIterable {
    /// The decodable rows are shown if they are at least half of all rows.
    case show
    case refuse
}

/// The form in which a profile shows media in one role. Sides are in pixels after orientation; sizes are in bytes.
package struct MediaForm: Sendable, Hashable {
    /// The longest side of an image.
    package var imageSide: Int
    /// The largest size of an image, in bytes.
    package var imageBytes: Int
    /// The quality of JPEGs on libjpeg's scale, 1…100. A JPEG that is too large gets a lower quality.
    package var jpegQuality = Self.standardQuality
    /// The longest side of the thumbnail; `nil` if there is no thumbnail.
    package var thumbnailSide: Int?
    /// The minimum ratio of an image's width to its height. A taller image is cropped to this ratio around its center.
    /// `nil` if images are not cropped.
    package var minAspect: Int?
    /// Whether only the image's shape is shown. The image becomes white, and its contrast becomes its opacity.
    package var isMask = false
    /// The longest side of a video that is copied, because the platform can play it unchanged.
    package var copiedVideoSide = Self.standardVideoSide
    /// Whether videos with HEVC are copied. Otherwise they are encoded again, with H.264.
    package var copiesHEVC = false
    /// The longest side of a video that is encoded again.
    package var videoSide = 1_280
    /// The largest size of a video, in bytes.
    package var videoBytes = 50 << 20
    /// The largest size of a sound, in bytes.
    package var soundBytes = 5 << 20
    /// Whether an animation that is transcoded may become a video. Otherwise it becomes a GIF.
    package var takesVideos = true
    /// Whether an animation that is too large stays an animation. Otherwise it becomes a still image.
    package var takesAnimations = true
    /// Whether animations in WebP and AVIF are copied.
    package var takesWebAnimations = false
    /// Whether the decodable part of a damaged image is shown.
    package var damaged = DamagedMedia.show

    /// The quality at which the difference from the original is hardly visible.
    package static let standardQuality = 85
    /// The size at which phones record and play videos.
    package static let standardVideoSide = 1_920

    /// Returns the form with images of at most this number of bytes. If `nil`, the form is returned unchanged.
    package func holding(_ bytes: Int?) -> MediaForm {
        var form = self
        form.imageBytes = min(imageBytes, bytes ?? .max)
        return form
    }

    /// The form of an image that belongs to a video. It is not cropped, and no longer than the video.
    var besideVideo: MediaForm {
        var form = self
        form.imageSide = copiedVideoSide
        form.minAspect = nil
        form.thumbnailSide = nil
        return form
    }

    /// Returns the form with images whose longest side is at most that of a video. If `side` is `nil`, there is no
    /// video, and the form is returned unchanged.
    package func fitting(videoSide side: Int?) -> MediaForm {
        var form = self
        form.imageSide = min(imageSide, side ?? .max)
        return form
    }

    /// Returns the form with the operator's preferences. Platforms with a smaller size keep it.
    package func preferring(_ preferences: MediaPreferences) -> MediaForm {
        var form = self
        form.jpegQuality = preferences.jpegQuality
        if copiedVideoSide == Self.standardVideoSide { form.copiedVideoSide = preferences.videoSide }
        form.videoSide = min(videoSide, preferences.videoSide)
        form.damaged = preferences.damaged
        return form
    }
}

/// The operator's preferences for the renditions of all profiles.
package struct MediaPreferences: Sendable, Hashable {
    /// The quality of JPEGs on libjpeg's scale, 1…100.
    package var jpegQuality = MediaForm.standardQuality
    /// The longest side of a video that is copied, in pixels.
    package var videoSide = MediaForm.standardVideoSide
    package var damaged = DamagedMedia.show

    package init() {}
}
