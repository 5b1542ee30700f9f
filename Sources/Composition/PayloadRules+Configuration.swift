package import Authentication
import LinuxIO
import NotificationModel
package import NotificationProcessor
import Primitives
package import ServiceConfiguration
package import TranscodeProtocol

extension PayloadRules {
    package init(_ configuration: Configuration) {
        self.init(
            dialects: DialectTable(DialectTable.Settings(configuration)),
            locator: MediaURLResolver(
                homeserver: configuration.matrix.homeserver?.description,
                homeAssistant: configuration.homeAssistant.baseURL?.description),
            language: configuration.locale, mediaURLs: MediaURLs(configuration))
        defaults = RequestDefaults(configuration)
        media.jpegQuality = configuration.media.jpegQuality
        media.videoSide = configuration.media.videoSide
        forwardedTexts = configuration.push.says
        media.damaged = configuration.media.damaged
    }
}

extension MediaURLs {
    /// Creates the public URLs of a configuration; `nil` if renditions are not public.
    package init?(_ configuration: Configuration) {
        guard let url = configuration.publicURL else { return nil }
        self.init(
            base: url.description, keys: configuration.media.signingKeyFile?.keys,
            life: configuration.media.container.retention.seconds)
    }
}

extension DialectTable.Settings {
    package init(_ configuration: Configuration) {
        self.init()
        twoMee = configuration.twoMee
        apnsMediaKeys = configuration.apns.mediaKeys
        configured = configuration.dialects
    }
}

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
