package import NotificationModel

extension Configuration {
    /// Limits of sources, quality of renditions, and limits of the stored renditions.
    package struct Media: Sendable {
        /// Largest source of each kind, in bytes after the transfer coding and content coding are decoded.
        package var videoBytes = MediaFormat.Kind.video.mostSourceBytes
        package var pictureBytes = MediaFormat.Kind.picture.mostSourceBytes
        package var soundBytes = MediaFormat.Kind.sound.mostSourceBytes
        /// Most pixels of a JPEG. It is scaled while it is decoded, so its limit does not count decoded bytes.
        package var pixels = 100_000_000
        /// Most bytes of a decoded picture of any other format.
        package var decodedBytes = 160_000_000
        /// Most frames of an animation.
        package var frames = 1_000
        /// Length of the longest video.
        package var duration: Duration = .seconds(600)
        /// Quality of the JPEGs that are made, on the scale of libjpeg: 1…100.
        package var jpegQuality = MediaForm.standardQuality
        /// Longest side of a video that is copied, because the platform plays it as it is, in pixels.
        package var videoSide = MediaForm.standardVideoSide
        /// Handling of pictures that are damaged at their origin.
        package var damaged = DamagedMedia.show
        /// Most bytes of all stored renditions, over all groups.
        package var quota = 10 << 30
        /// How long a rendition is kept after a notification showed it last.
        package var retention: Duration = .days(7)
    }
}
