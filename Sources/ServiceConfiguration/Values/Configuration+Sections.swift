import NotificationModel

extension Configuration {
    package struct Log: Sendable {
        package enum Level: String, Sendable, CaseIterable { case trace, debug, info, notice, warning, error }
        package enum Format: String, Sendable, CaseIterable { case auto, text, json }

        package var level = Level.info
        package var format = Format.auto
    }

    package struct Media: Sendable {
        /// Bytes of a source, after decoding of the transfer.
        package var videoBytes = MediaFormat.Kind.video.mostSourceBytes
        package var pictureBytes = MediaFormat.Kind.picture.mostSourceBytes
        package var soundBytes = MediaFormat.Kind.sound.mostSourceBytes
        /// Of a JPEG, which is scaled while it is decoded.
        package var pixels = 100_000_000
        /// Of the full decoded picture of any other format.
        package var decodedBytes = 160_000_000
        package var frames = 1_000
        package var duration: Duration = .seconds(600)
        /// Of the JPEGs that are made, libjpeg's.
        package var jpegQuality = MediaForm.standardQuality
        /// Bytes of all renditions that are kept, over all groups.
        package var quota = 10 << 30
        package var retention: Duration = .days(7)
    }

    package struct Requests: Sendable {
        package var inFlight = 1_024
        package var queued = 16_384
        /// Bytes of one request's body over HTTP.
        package var bodyBytes = 4 << 20
        /// Bytes of all large payloads together, from their reading to their results.
        package var largeBodyBytes = 64 << 20
    }

    package struct Results: Sendable {
        package var retention: Duration = .days(7)
        /// Bytes of all results that are kept.
        package var quota = 1 << 30
    }

    package struct Files: Sendable {
        /// A name or number; `nil` leaves files to the group of the process.
        package var group: String?
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
