import AppGroupStore
import LinuxIO
import NotificationModel
package import NotificationProcessor
import Primitives
import RequestJournal
package import ServiceConfiguration
package import TranscodeProtocol

extension RequestDefaults {
    package init(_ configuration: Configuration) {
        self.init()
        budget = configuration.budget
        longestReserve = configuration.reserve
        profile = MediaProfile.named(configuration.profile) ?? .ios
        unknownPayloads = configuration.payloads.unknown
        permissions.unknownNetwork = configuration.permissions.unknownNetwork
    }
}

extension DecodeLimits {
    package init(_ configuration: Configuration) {
        let media = configuration.media
        self.init(
            scalablePixels: UInt64(media.pixels), decodedBytes: UInt64(media.decodedBytes),
            frames: UInt32(clamping: media.frames), durationMilliseconds: UInt64(media.duration.milliseconds))
    }
}

extension ContainerLimits {
    package init(_ configuration: Configuration) {
        self.init(quota: configuration.media.quota, retention: configuration.media.retention)
    }
}

extension RequestJournal.Limits {
    package init(_ configuration: Configuration) {
        self.init(retention: configuration.results.retention)
        quota = configuration.results.quota
    }
}

extension Configuration {
    /// The default configuration, which depends on the number of processor cores of this machine.
    package static var ofThisMachine: Configuration {
        Configuration(workers: ProcessorCount.current, standardDialects: DialectTable.standard.identifiers)
    }
}
