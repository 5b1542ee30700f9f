import Base
import NotificationModel

/// The dialect of a payload format that the configuration describes: the rule that recognises the format, and the paths
/// of its media and texts.
///
/// A path with a `[]` can match several values. For a text, the link or the identifier, the first value of the right
/// type is used. All media paths are read in their order, and each value is read once. A `[]` in the path of a type or
/// an option stands for the same element as in the path of the media item. For example, `items[].kind` is the type of
/// `items[].image.url`, but not the type of `cover.url`.
struct ConfiguredDialect: APSDialect {
    var id: DialectID { definition.name }
    var marks: [[String]] { [] }
    let definition: DialectDefinition

    func detect(_ payload: PayloadLayout) -> String? {
        definition.recognisedBy.matches(payload.root) ? definition.recognisedBy.description : nil
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        reading.successText = definition.text.text(in: payload).over(reading.successText)
        reading.textPlaces += definition.text.places(in: payload)
        let fallback = definition.fallback.text(in: payload)
        reading.fallbackText = fallback.isEmpty ? nil : fallback.over(reading.successText)
        reading.providerID = definition.identifier?.first(in: payload, \.identifier)
        reading.details.append("link", text: definition.link?.first(in: payload, \.text))
        reading.media = references(in: payload)
    }

    private func references(in payload: JSONNode) -> [MediaReference] {
        var places: Set<JSONPath> = []
        return definition.media.flatMap { $0.matches(in: payload) }.compactMap { match in
            guard match.node.text != nil, places.insert(match.node.path).inserted else { return nil }
            var own = AttachmentOptions()
            own.thumbnailHidden =
                definition.options.thumbnailHidden?.beside(match)?.nodes(in: payload).contains(where: \.isSet) ?? false
            own.thumbnailTime = definition.options.thumbnailTime?.beside(match)?.first(in: payload) { node in
                node.looseDouble.flatMap { $0 >= 0 ? $0 : nil }
            }
            let type = definition.type?.beside(match)?.nodes(in: payload).first { $0.text != nil }
            return MediaReference(
                match.node, declaredType: type?.text.map(Self.declaredType), options: own,
                claims: [type.flatMap(MediaClaim.type)])
        }
    }

    private static func declaredType(_ text: String) -> DeclaredMediaType {
        if text.contains("/") { return .mimeType(text) }
        if ["image", "video", "audio"].contains(text) { return .mediaClass(text) }
        return .fileExtension(text.hasPrefix(".") ? String(text.dropFirst()) : text)
    }
}

extension DialectDefinition.TextPaths {
    fileprivate func text(in payload: JSONNode) -> NotificationText {
        NotificationText(
            title: title?.first(in: payload, \.string), subtitle: subtitle?.first(in: payload, \.string),
            body: body?.first(in: payload, \.string))
    }

    /// Returns the paths of the title, the subtitle and the body that the payload has.
    fileprivate func places(in payload: JSONNode) -> [TextPlace] {
        let paths = [title, subtitle, body].map { line in
            line?.nodes(in: payload).first { $0.string != nil }?.path
        }
        return paths.allSatisfy { $0 == nil } ? [] : [.lines(title: paths[0], subtitle: paths[1], body: paths[2])]
    }
}

extension KeyPathText {
    fileprivate func first<Value>(in payload: JSONNode, _ read: (JSONNode) -> Value?) -> Value? {
        nodes(in: payload).lazy.compactMap(read).first
    }
}
