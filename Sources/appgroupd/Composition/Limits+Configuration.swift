import AppGroupStore
import NotificationModel
import NotificationProcessor
import Primitives
import RequestJournal
import ServiceConfiguration
import TranscodeProtocol

extension RequestDefaults {
    init(_ configuration: Configuration) {
        self.init()
        budget = configuration.budget
        longestReserve = configuration.reserve
        profile = MediaProfile.named(configuration.profile) ?? .ios
        unknownPayloads = configuration.payloads.unknown
        permissions.unknownNetwork = configuration.permissions.unknownNetwork
    }
}

extension DecodeLimits {
    init(_ configuration: Configuration) {
        let media = configuration.media
        self.init(
            scalablePixels: UInt64(media.pixels), decodedBytes: UInt64(media.decodedBytes),
            frames: UInt32(clamping: media.frames), durationMilliseconds: UInt64(media.duration.milliseconds))
    }
}

extension ContainerLimits {
    init(_ configuration: Configuration) {
        self.init(quota: configuration.media.quota, retention: configuration.media.retention)
    }
}

extension RequestJournal.Limits {
    init(_ configuration: Configuration) {
        self.init(retention: configuration.results.retention)
        quota = configuration.results.quota
    }
}
