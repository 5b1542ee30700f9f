/// A payload format that an operator describes: how it is recognised, and the paths of its media and texts.
package struct DialectDefinition: Sendable, Equatable {
    package struct TextPaths: Sendable, Equatable {
        package var title: KeyPathText?
        package var subtitle: KeyPathText?
        package var body: KeyPathText?

        package init(title: KeyPathText? = nil, subtitle: KeyPathText? = nil, body: KeyPathText? = nil) {
            self.title = title
            self.subtitle = subtitle
            self.body = body
        }
    }

    package struct OptionPaths: Sendable, Equatable {
        package var thumbnailHidden: KeyPathText?
        /// The path of the thumbnail's time in a video, in seconds.
        package var thumbnailTime: KeyPathText?

        package init(thumbnailHidden: KeyPathText? = nil, thumbnailTime: KeyPathText? = nil) {
            self.thumbnailHidden = thumbnailHidden
            self.thumbnailTime = thumbnailTime
        }
    }

    package var name: DialectID
    package var recognisedBy: PayloadDiscriminator
    package var media: [KeyPathText]
    /// The path of a media item's type: a MIME type, a kind (`image`, `video`, `audio`), or a file name's extension.
    package var type: KeyPathText?
    /// The text of a notification that has attachments.
    package var text = TextPaths()
    /// The text of a notification that has no attachment.
    package var fallback = TextPaths()
    /// The path of the identifier that the provider gives to the message.
    package var identifier: KeyPathText?
    package var link: KeyPathText?
    package var options = OptionPaths()

    package init(name: DialectID, recognisedBy: PayloadDiscriminator, media: [KeyPathText]) {
        self.name = name
        self.recognisedBy = recognisedBy
        self.media = media
    }
}
