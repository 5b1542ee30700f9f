extension MediaFormat {
    /// The facts about one format: a row of the table.
    struct Facts: Sendable {
        let kind: MediaKind?
        let name: String
        /// The name as a part of a sentence; `nil` if `name` is one.
        var phrase: String?
        let mimeTypes: [String]
        let uti: String
        let extensions: [String]
        var container: MediaFormat?
        var uses: Uses = []
        var magic: [MagicNumber] = []
    }

    /// The roles of a format in this program and on phones.
    struct Uses: OptionSet, Sendable {
        let rawValue: UInt8

        /// A worker decodes the format.
        static let decoded = Uses(rawValue: 1)
        /// A worker makes renditions in the format.
        static let made = Uses(rawValue: 2)
        /// `UNNotificationAttachment` supports the format (Apple, "UNNotificationAttachment", supported file types).
        static let shownByPhones = Uses(rawValue: 4)
        /// An image of the format may be an animation.
        static let animated = Uses(rawValue: 8)
        /// The file contains or names other files. The type of the containing file does not describe these files.
        static let wrapper = Uses(rawValue: 16)
    }

    private static let table = allCases.map(\.row)

    /// The facts about the format. The codes of the formats are 1, 2 and so on.
    var facts: Facts { Self.table[Int(rawValue) - 1] }

    /// The kind of the format; `nil` if the format is not a media format.
    package var kind: MediaKind? { facts.kind }

    /// The kind of the pixels or samples in the file; `nil` for drawings, and for files that are not media.
    package var sampledKind: MediaKind? { self == .svg ? nil : kind }

    /// The short name of the format: "JPEG", "HTML".
    package var name: String { facts.name }

    /// The name of the format as a part of a sentence: "JPEG", "an HTML page".
    package var phrase: String { facts.phrase ?? name }

    /// The usual MIME type.
    package var mimeType: String { facts.mimeTypes[0] }

    /// The part of the usual MIME type before the slash.
    package var topLevelType: String { String(mimeType.prefix { $0 != "/" }) }

    /// The MIME type that results report for a file of the format; `nil` for archives and playlists.
    package var reportedMIMEType: String? { facts.uses.contains(.wrapper) ? nil : mimeType }

    /// Apple's uniform type identifier; that of a general type if Apple has none for the format.
    package var uniformTypeIdentifier: String { facts.uti }

    /// The usual file extension, without a dot.
    package var fileExtension: String { facts.extensions[0] }

    /// The format whose demuxer and checks apply to the format. Three groups of formats share a container: MP4,
    /// QuickTime and M4A; HEIC and AVIF; WebM and Matroska.
    package var container: MediaFormat { facts.container ?? self }

    /// Whether a worker decodes the format. Playlists and references to other files are never decoded.
    package var isDecoded: Bool { facts.uses.contains(.decoded) }

    /// Whether a worker makes renditions in the format. Phones or browsers show all of them.
    package var isRendition: Bool { facts.uses.contains(.made) }

    /// Whether phones show the format (Apple, "UNNotificationAttachment", supported file types).
    package var isShownByPhones: Bool { facts.uses.contains(.shownByPhones) }

    /// Whether images of this format may be animations.
    package var mayBeAnimated: Bool { facts.uses.contains(.animated) }

    /// The formats that a worker decodes.
    package static let decoded = allCases.filter(\.isDecoded)

    /// The formats of renditions.
    package static let renditions = allCases.filter(\.isRendition)

    private static let byExtension = names(\.extensions)
    private static let byMIMEType = names(\.mimeTypes)

    private static func names(_ column: (Facts) -> [String]) -> [String: MediaFormat] {
        let pairs = allCases.flatMap { format in column(format.facts).map { ($0, format) } }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the format of a file extension.
    ///
    /// - Parameter name: The extension without a dot, in any case.
    package static func named(extension name: String) -> MediaFormat? { byExtension[name.lowercased()] }

    /// Returns the format of the file name in a URL; `nil` if the name has no known extension.
    package static func named(fileOf url: String) -> MediaFormat? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? path
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return named(extension: String(name[name.index(after: dot)...]))
    }

    /// Returns the format of a MIME type.
    ///
    /// - Parameter type: The type with or without parameters, in any case.
    package static func named(mimeType type: String) -> MediaFormat? { byMIMEType[bareMIMEType(type)] }

    /// Returns a MIME type in lower case, without parameters.
    package static func bareMIMEType(_ type: String) -> String {
        String(type.prefix { $0 != ";" }.lowercased().filter { $0 != " " })
    }

    /// Returns the format of renditions with exactly this MIME type, as this program writes it; `nil` for other types.
    package static func rendition(mimeType type: String) -> MediaFormat? { renditions.first { $0.mimeType == type } }

    /// Returns the format of renditions with exactly this file extension, as this program writes it; `nil` for others.
    package static func rendition(extension name: some StringProtocol) -> MediaFormat? {
        renditions.first { $0.fileExtension == name }
    }
}
