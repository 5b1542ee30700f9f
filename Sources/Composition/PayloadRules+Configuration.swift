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
        let own = configuration.twoMee
        twoMee.category = own.category
        twoMee.expiredText = own.expiredText
        twoMee.accept = own.accept
        twoMee.dismiss = own.dismiss
        twoMee.play = own.play
        twoMee.languages = own.languages
        twoMee.sounds = own.sounds
        twoMee.putsImagesAside = own.images == .aside
        twoMee.presentation = own.presentation
        apnsMediaKeys = configuration.apns.mediaKeys
        configured = configuration.dialects.map { ConfiguredDialect($0) }
    }
}
