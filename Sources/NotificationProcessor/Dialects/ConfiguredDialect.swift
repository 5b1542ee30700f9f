package import NotificationModel

/// A payload format that the configuration describes: what recognises it, and where its media and texts are.
///
/// Of each path but those of the media the first place counts that holds a value of the right type. All media paths
/// are read, in their order, and each place once. A `[]` in the path of a type or an option is the same element as in
/// the path of the medium: `items[].kind` is the type of `items[].picture.url`.
package struct ConfiguredDialect: Dialect {
    /// Where the texts are. Lines without a path come from `aps`.
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

    package let id: DialectID
    private let discriminator: PayloadDiscriminator
    private let media: [KeyPathText]
    private let type: KeyPathText?
    private let text: TextPaths
    private let fallback: TextPaths
    private let identifier: KeyPathText?
    private let link: KeyPathText?
    private let options: OptionPaths

    /// - Parameters:
    ///   - type: of a medium: a MIME type, a kind (`image`, `video`, `audio`), or a file name's extension.
    ///   - identifier: the provider's own of the message.
    package init(
        name: String, discriminator: PayloadDiscriminator, media: [KeyPathText] = [], type: KeyPathText? = nil,
        title: KeyPathText? = nil, subtitle: KeyPathText? = nil, body: KeyPathText? = nil,
        fallbackTitle: KeyPathText? = nil, fallbackSubtitle: KeyPathText? = nil, fallbackBody: KeyPathText? = nil,
        identifier: KeyPathText? = nil, link: KeyPathText? = nil, options: OptionPaths = .init()
    ) {
        id = DialectID(name)
        self.discriminator = discriminator
        self.media = media
        self.type = type
        text = TextPaths(title: title, subtitle: subtitle, body: body)
        fallback = TextPaths(title: fallbackTitle, subtitle: fallbackSubtitle, body: fallbackBody)
        self.identifier = identifier
        self.link = link
        self.options = options
    }

    package func detect(_ payload: JSONObject) -> String? {
        discriminator.matches(JSONNode(payload)) ? discriminator.description : nil
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.successText = text.text(in: payload).over(reading.successText)
        let fallback = fallback.text(in: payload)
        reading.fallbackText = fallback.isEmpty ? nil : fallback
        reading.providerID = identifier?.first(in: payload, \.identifier)
        if let link = link?.first(in: payload, \.text) { reading.details.append("link", .string(link)) }
        reading.media = references(in: payload)
        return reading
    }

    private func references(in payload: JSONNode) -> [MediaReference] {
        var places: Set<JSONPath> = []
        return media.flatMap { $0.matches(in: payload) }.compactMap { match in
            guard match.node.text != nil, places.insert(match.node.path).inserted else { return nil }
            var own = AttachmentOptions()
            own.thumbnailHidden =
                options.thumbnailHidden?.beside(match).nodes(in: payload).contains(where: \.isSet) ?? false
            own.thumbnailTime = options.thumbnailTime?.beside(match).first(in: payload) { node in
                node.looseDouble.flatMap { $0 >= 0 ? $0 : nil }
            }
            return MediaReference(
                match.node, declaredType: type?.beside(match).first(in: payload, \.text).map(Self.declaredType),
                options: own)
        }
    }

    private static func declaredType(_ text: String) -> DeclaredMediaType {
        if text.contains("/") { return .mimeType(text) }
        if ["image", "video", "audio"].contains(text) { return .mediaClass(text) }
        return .fileExtension(text.hasPrefix(".") ? String(text.dropFirst()) : text)
    }
}

extension ConfiguredDialect.TextPaths {
    fileprivate func text(in payload: JSONNode) -> NotificationText {
        NotificationText(
            title: title?.first(in: payload, \.string), subtitle: subtitle?.first(in: payload, \.string),
            body: body?.first(in: payload, \.string))
    }
}

extension KeyPathText {
    fileprivate func first<Value>(in payload: JSONNode, _ read: (JSONNode) -> Value?) -> Value? {
        nodes(in: payload).lazy.compactMap(read).first
    }
}
