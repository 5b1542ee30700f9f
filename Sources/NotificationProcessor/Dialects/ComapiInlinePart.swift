import FoundationEssentials
import JSON
import MediaHeaders
import MediaTypes
import NotificationModel

/// A part of a chat message that has no URL. Its file is in `data`, as Base64 or as a `data:` URL.
///
/// A part whose type is image, video, sound or any bytes is a file. Its `data` is not examined. Parts of other types,
/// and parts without a type, are the app's own values. Such parts are files only if their bytes are those of an image,
/// a video or a sound.
struct ComapiInlinePart {
    /// The number of Base64 characters that suffice to see the type: four for three bytes, with room for line breaks.
    private static let wantedCharacters = MediaSignature.wantedBytes * 2

    private let part: JSONNode
    private let type: DeclaredMediaType?

    init(_ part: JSONNode, _ type: DeclaredMediaType?) {
        self.part = part
        self.type = type
    }

    /// A `data:` URL for the file, without bytes if the part has none. `nil` if the part is no file.
    var url: String? {
        guard part.object != nil, isFileByType || isFileByBytes else { return nil }
        guard let data = part["data"].text else { return InlineMedia.url(type: part["type"].text ?? "", base64: "") }
        return InlineMedia.isReference(data) ? data : InlineMedia.url(type: part["type"].text ?? "", base64: data)
    }

    private var isFileByType: Bool {
        if type?.kind != nil { return true }
        guard case .mimeType(let name) = type else { return false }
        return MediaFormat.bareMIMEType(name) == "application/octet-stream"
    }

    private var isFileByBytes: Bool {
        guard let data = part["data"].text else { return false }
        if InlineMedia.isReference(data) { return true }
        var characters = data.utf8.lazy.filter { !"\t\n\u{C}\r ".utf8.contains($0) }.prefix(Self.wantedCharacters)
            .map(\.self)
        characters.removeLast(characters.count % 4)
        guard let bytes = Data(base64Encoded: Data(characters)) else { return false }
        return MediaSignature.of(Array(bytes).span)?.sampledKind != nil
    }
}
