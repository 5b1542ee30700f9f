package import Base

/// A statement of a payload about a media item in addition to its URL, such as the item's type or its size.
///
/// When a rendition's URL replaces the URL, the statement is corrected so that it is true of the rendition.
package struct MediaClaim: Sendable, Equatable {
    package enum Property: Sendable, Equatable {
        /// The type, with the provider's word for each type of a rendition.
        case type([MediaFormat: String])
        /// The size in bytes.
        case byteCount
        /// The width in pixels.
        case width
        case height
        /// The duration in milliseconds. The value stays unchanged if the rendition has no duration.
        case duration
        /// The file name with an extension.
        case fileName
    }

    package var property: Property
    package var path: JSONPath
    /// The value that applies if the payload has none. If `nil`, no value is added.
    package var implied: String?

    package init(_ property: Property, at node: JSONNode, implied: String? = nil) {
        self.property = property
        path = node.path
        self.implied = implied
    }

    /// Returns the statement of a type, in the style in which the payload writes it.
    package static func type(_ node: JSONNode) -> MediaClaim? {
        node.text.map { MediaClaim(.type(MediaFormat.words(like: $0)), at: node) }
    }

    /// Returns the statement of a type by a vendor that has classes of types (`image`, `video`), and `gif` for an
    /// animation.
    package static func classOfType(_ node: JSONNode) -> MediaClaim? {
        guard let name = node.text, !name.contains("/") else { return type(node) }
        let words = MediaFormat.words { type in
            type == .gif && name.lowercased() != "image" ? "gif" : type.topLevelType
        }
        return MediaClaim(.type(words), at: node)
    }

    /// Returns the statements for those members that have a number or a text.
    package static func facts(_ places: [(Property, JSONNode)]) -> [MediaClaim?] {
        places.filter { $0.1.looseDouble != nil || $0.1.text != nil }.map { MediaClaim($0.0, at: $0.1) }
    }

    /// Returns the value that is true of a rendition, in the JSON type of the old value; `nil` if the old value stays.
    package func value(of info: RenditionInfo, insteadOf old: JSONValue?) -> JSONValue? {
        switch property {
        case .type(let words):
            guard let word = words[info.type] else { return nil }
            let isSaid = old?.string.map { !$0.isEmpty } ?? false
            return isSaid || (implied.map { $0 != word } ?? false) ? .string(word) : nil
        case .byteCount: return Self.number(info.byteCount, insteadOf: old)
        case .width: return Self.number(info.width, insteadOf: old)
        case .height: return Self.number(info.height, insteadOf: old)
        case .duration:
            return info.duration.flatMap { Self.number(Int($0.milliseconds.rounded()), insteadOf: old) }
        case .fileName:
            return old?.string.flatMap { Self.name($0, for: info.type) }.map { .string($0) }
        }
    }

    private static func number(_ number: Int, insteadOf old: JSONValue?) -> JSONValue? {
        switch old {
        case .number: .number(JSONNumber(number))
        case .string: .string(String(number))
        default: nil
        }
    }

    /// Returns a name with the rendition's extension; `nil` if it has no extension of a known format.
    private static func name(_ name: String, for type: MediaFormat) -> String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            let format = MediaFormat.named(extension: String(name[name.index(after: dot)...])),
            format != type
        else { return nil }
        return name[...dot] + type.fileExtension
    }
}

extension MediaFormat {
    /// Returns a word for each type of rendition in the style of another word: MIME types, classes (`image`, `video`),
    /// or file extensions.
    package static func words(like text: String) -> [MediaFormat: String] {
        words { type in
            if text.contains("/") { return type.mimeType }
            let isKind = ["image", "picture", "photo", "video", "audio"].contains(text.lowercased())
            return isKind ? type.topLevelType : type.fileExtension
        }
    }

    package static func words(_ word: (MediaFormat) -> String) -> [MediaFormat: String] {
        Dictionary(uniqueKeysWithValues: renditions.map { ($0, word($0)) })
    }
}
