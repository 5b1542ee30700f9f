import NotificationModel
package import NotificationProcessor
package import ServiceConfiguration

extension PayloadRules {
    package init(_ configuration: Configuration) {
        self.init(
            dialects: DialectTable(DialectTable.Settings(configuration)),
            locator: MediaURLResolver(
                homeserver: configuration.matrix.homeserver?.description,
                homeAssistant: configuration.homeAssistant.baseURL?.description),
            language: configuration.locale, publicURL: configuration.publicURL?.description)
        media.jpegQuality = configuration.media.jpegQuality
        media.videoSide = configuration.media.videoSide
        forwardedTexts = configuration.push.says
        media.damaged = configuration.media.damaged
    }
}

extension DialectTable.Settings {
    package init(_ configuration: Configuration) {
        self.init()
        twoMee = configuration.twoMee
        apnsMediaKeys = configuration.apns.mediaKeys
        configured = configuration.dialects.map { ConfiguredDialect($0) }
    }
}
