import MediaTypes
package import NotificationModel

extension Configuration {
    /// The limits of sources, the quality of renditions, and the limits of the stored renditions.
    package struct Media: Sendable {
        /// The largest source of each kind, in bytes after the transfer coding and the content coding are decoded.
        package var videoBytes = MediaKind.video.mostSourceBytes
        package var imageBytes = MediaKind.image.mostSourceBytes
        package var soundBytes = MediaKind.sound.mostSourceBytes
        /// The maximum number of pixels of a JPEG. A JPEG is scaled while it is decoded, so its limit does not count
        /// decoded bytes.
        package var pixels = 100_000_000
        /// The maximum size of a decoded image in any other format, in bytes.
        package var decodedBytes = 160_000_000
        /// The maximum number of frames of an animation.
        package var frames = 1_000
        /// The duration of the longest animation, video or sound.
        package var duration: Duration = .seconds(600)
        /// The quality of JPEG renditions, on the scale of libjpeg: 1…100.
        package var jpegQuality = MediaForm.standardQuality
        /// The longest side of a video that is copied because the platform can play it unchanged, in pixels.
        package var videoSide = MediaForm.standardVideoSide
        /// The handling of images that are damaged at their origin.
        package var damaged = DamagedMedia.show
        /// The maximum size of all stored renditions of all groups together, in bytes.
        package var quota = 10 << 30
        /// The time for which a rendition is kept after the last notification that showed it.
        package var retention: Duration = .days(7)
    }
}
