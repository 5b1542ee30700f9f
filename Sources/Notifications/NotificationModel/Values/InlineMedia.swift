import Base
package import FoundationEssentials

/// A media item whose bytes are in the payload: a `data:` URL (RFC 2397).
///
/// Base64 is decoded as browsers decode it ("forgiving-base64 decode" of the WHATWG Infra standard). White space is
/// ignored, and the padding may be missing.
package struct InlineMedia: Sendable, Equatable {
    private static let scheme = "data:"
    /// The maximum size of a URL that is shown as a whole, in bytes. Push services do not accept longer payloads.
    private static let maxShownBytes = 4_096
    /// The size of the start of a longer URL that is shown, in bytes.
    private static let maxHeadBytes = 128

    /// The text before the comma, without the scheme: `image/png;base64`.
    private let head: Substring
    private let body: Substring

    /// Creates an item of a `data:` URL; `nil` for any other URL, and for a URL without a comma.
    package init?(_ url: String) {
        guard Self.isReference(url), let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        head = url[url.utf8.index(url.startIndex, offsetBy: Self.scheme.utf8.count)..<comma]
        body = url[url.utf8.index(after: comma)...]
    }

    package static func isReference(_ url: String) -> Bool {
        url.utf8.count >= scheme.utf8.count
            && zip(url.utf8, scheme.utf8).allSatisfy { $0 == $1 || $0 == $1 & ~0x20 && $1 != UInt8(ascii: ":") }
    }

    /// Returns a URL for bytes that a payload has as Base64, with their type in another member.
    package static func url(type: String, base64: String) -> String { "\(scheme)\(type);base64,\(base64)" }

    package static func shown(_ url: String) -> String {
        guard url.utf8.count > maxShownBytes, isReference(url) else { return url }
        let head = url.utf8.prefix(maxHeadBytes).prefix { $0 != UInt8(ascii: ",") }
        return String(decoding: head, as: UTF8.self) + ",…"
    }

    private var isBase64: Bool {
        head.split(separator: ";").last.map { $0.filter { $0 != " " }.lowercased() == "base64" } ?? false
    }

    /// The media type in lower case, without parameters; `nil` if the URL has none.
    package var declaredType: String? {
        let type = MediaFormat.bareMIMEType(String(head))
        return type.contains("/") ? type : nil
    }

    /// Returns the decoded bytes.
    ///
    /// - Throws: `corrupt-media` if the text is not Base64, or if there are no bytes.
    package func bytes() throws(MediaFailure) -> Data {
        let unescaped = PercentEncoding.decodedBytes(of: body)
        guard isBase64 else { return try Self.nonEmpty(Data(unescaped)) }
        var text = unescaped.filter { !"\t\n\u{C}\r ".utf8.contains($0) }
        if text.count % 4 == 0, let end = text.suffix(2).firstIndex(of: UInt8(ascii: "=")) {
            text = Array(text[..<end])
        }
        guard !text.contains(UInt8(ascii: "=")) else {
            throw MediaFailure(.corruptMedia, "the bytes in the payload are not Base64")
        }
        text += Array(repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        guard let bytes = Data(base64Encoded: Data(text)) else {
            throw MediaFailure(.corruptMedia, "the bytes in the payload are not Base64")
        }
        return try Self.nonEmpty(bytes)
    }

    private static func nonEmpty(_ bytes: Data) throws(MediaFailure) -> Data {
        guard !bytes.isEmpty else { throw MediaFailure(.corruptMedia, "there are no bytes in the payload") }
        return bytes
    }
}
