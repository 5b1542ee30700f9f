package import Authentication
import Base
import LinuxIO
package import NotificationModel
package import NotificationProcessor
package import ServiceConfiguration
package import TranscodeProtocol

extension PayloadRules {
    /// - Parameter apps: The rules for the Matrix apps of all groups; `nil` for those of the configuration.
    package init(_ configuration: Configuration, apps: MatrixApps? = nil) {
        self.init(
            dialects: DialectTable(DialectTable.Settings(configuration, apps: apps)),
            locator: MediaURLResolver(
                homeserver: configuration.matrix.homeserver?.description,
                matrixPaths: MatrixMediaPaths(configuration.matrix.mediaPaths),
                homeAssistant: configuration.homeAssistant.baseURL?.description),
            language: configuration.locale, mediaURLs: MediaURLs(configuration))
        receiptURLs = ReceiptURLs(configuration)
        defaults = RequestDefaults(configuration)
        media.jpegQuality = configuration.media.jpegQuality
        media.videoSide = configuration.media.videoSide
        forwardedTexts = configuration.push.says
        texts = configuration.texts
        media.damaged = configuration.media.damaged
    }
}

extension GroupRules {
    /// Creates the rules of all app groups of a configuration.
    package init(_ configuration: Configuration) {
        // The push gateway chooses the group by all rules, so each group describes its devices by all of them.
        let apps = configuration.matrixApps
        self.init(PerGroup(configuration) { PayloadRules($0, apps: apps) }, served: configuration.groups.served)
    }
}

extension PerGroup {
    /// Creates the values of all app groups of a configuration.
    ///
    /// - Parameter value: A function that returns the value for the configuration of all groups, or of one group.
    package init(_ configuration: Configuration, _ value: (Configuration) -> Value) {
        self.init(value(configuration), groups: configuration.byGroup.mapValues(value))
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

extension ReceiptURLs {
    /// Creates the signed URLs of receipts; `nil` if the configuration has no key or no public URL for them.
    package init?(_ configuration: Configuration) {
        let receipts = configuration.receipts
        guard let url = receipts.publicURL, let file = receipts.signingKeyFile else { return nil }
        self.init(base: url.description, keys: file.keys, life: receipts.urlLifetime.seconds)
    }
}

extension ContainerLimits {
    /// Creates the limits of all containers together, and of the groups that have their own.
    package init(_ configuration: Configuration) {
        self = configuration.media.container
        for settings in configuration.groups.settings where settings.sets("media.quota", "media.retention") {
            guard let group = AppGroupName(settings.name) else { continue }
            let own = configuration.of(group: settings.name).media.container
            groups[group] = ContainerLimits.OfGroup(
                quota: settings.sets("media.quota") ? own.quota : nil, retention: own.retention)
        }
    }
}

extension DialectTable.Settings {
    /// - Parameter apps: The rules for the Matrix apps of all groups; `nil` for those of the configuration.
    package init(_ configuration: Configuration, apps: MatrixApps? = nil) {
        self.init()
        twoMee = configuration.twoMee
        apnsMediaKeys = configuration.apns.mediaKeys
        matrixApps = apps ?? configuration.matrixApps
        configured = configuration.dialects
    }
}

extension RequestDefaults {
    package init(_ configuration: Configuration) {
        self.init()
        budget = configuration.budget
        maxReserve = configuration.reserve
        profile = MediaProfile.named(configuration.profile) ?? .ios
        unknownPayloads = configuration.payloads.unknown
        permissions = configuration.permissions
        guard let own = configuration.appGroup.flatMap({ configuration.groups[$0] }) else { return }
        for permission in Permission.allCases where own.sets("permissions.\(permission.rawValue)") {
            groupPermissions[permission] = permissions[permission]
        }
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
