/// A payload format as an operator describes it: what recognises it, and where its media and texts are.
package struct DialectDefinition: Sendable, Equatable {
    /// Where the lines of a text are.
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

    /// Where Apple's options of an attachment are.
    package struct OptionPaths: Sendable, Equatable {
        package var thumbnailHidden: KeyPathText?
        /// Seconds into a video.
        package var thumbnailTime: KeyPathText?

        package init(thumbnailHidden: KeyPathText? = nil, thumbnailTime: KeyPathText? = nil) {
            self.thumbnailHidden = thumbnailHidden
            self.thumbnailTime = thumbnailTime
        }
    }

    package var name: DialectID
    package var recognisedBy: PayloadDiscriminator
    package var media: [KeyPathText]
    /// Of a medium: a MIME type, a kind (`image`, `video`, `audio`), or a file name's extension.
    package var type: KeyPathText?
    /// Shown when attachments are.
    package var text = TextPaths()
    /// Shown when none is.
    package var fallback = TextPaths()
    /// The provider's own of the message.
    package var identifier: KeyPathText?
    package var link: KeyPathText?
    package var options = OptionPaths()

    package init(name: DialectID, recognisedBy: PayloadDiscriminator, media: [KeyPathText]) {
        self.name = name
        self.recognisedBy = recognisedBy
        self.media = media
    }
}
