import LinuxIO
import NotificationModel
package import NotificationProcessor
import Primitives
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
        self = configuration.media.decoding
        durationMilliseconds = UInt64(configuration.media.duration.milliseconds)
    }
}

extension Configuration {
    /// The default configuration, which depends on the number of processor cores of this machine.
    package static var ofThisMachine: Configuration {
        Configuration(workers: ProcessorCount.current, standardDialects: DialectTable.standard.identifiers)
    }
}
