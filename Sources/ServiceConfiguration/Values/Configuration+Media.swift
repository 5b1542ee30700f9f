package import Authentication
import MediaTypes
package import NotificationModel
package import TranscodeProtocol

extension Configuration {
    /// The limits of decoding, the quality of renditions, and the limits of the stored renditions.
    package struct Media: Sendable {
        /// The limits of decoding, without the duration.
        package var decoding = DecodeLimits()
        /// The duration of the longest animation, video or sound.
        package var duration: Duration = .milliseconds(Int64(DecodeLimits().durationMilliseconds))
        /// The quality of JPEG renditions, on the scale of libjpeg: 1…100.
        package var jpegQuality = MediaForm.standardQuality
        /// The longest side of a video that is copied because the platform can play it unchanged, in pixels.
        package var videoSide = MediaForm.standardVideoSide
        /// The handling of images that are damaged at their origin.
        package var damaged = DamagedMedia.show
        /// The limits of the stored renditions.
        package var container = ContainerLimits()
        /// The keys that sign public URLs of renditions; `nil` if these URLs need no signature.
        package var signingKeyFile: KeyFile<URLSigningKeys>?
        /// The path of nginx's internal location with the root; `nil` if the daemon itself sends the bytes of
        /// renditions.
        package var accelRedirect: String?
    }
}
