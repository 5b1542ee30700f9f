extension MediaFormat {
    /// The facts about one format. The initializer is the form of a row in the table.
    struct Facts: Sendable {
        let kind: MediaKind?
        let name: String
        let phrase: String
        let mimeTypes: [String]
        let uti: String
        let extensions: [String]
        let container: MediaFormat?
        let uses: Uses
        let magic: [MagicNumber]

        init(
            _ kind: MediaKind?, _ name: String, phrase: String? = nil, mimeTypes: [String], uti: String,
            extensions: [String], container: MediaFormat? = nil, uses: Uses = [], magic: [MagicNumber] = []
        ) {
            self.kind = kind
            self.name = name
            self.phrase = phrase ?? name
            self.mimeTypes = mimeTypes
            self.uti = uti
            self.extensions = extensions
            self.container = container
            self.uses = uses
            self.magic = magic
        }
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
    package var phrase: String { facts.phrase }

    /// The usual MIME type.
    package var mimeType: String { facts.mimeTypes[0] }

    /// The part of the usual MIME type before the slash.
    package var topLevelType: String { String(mimeType.prefix { $0 != "/" }) }

    /// The MIME type that results report for a file of the format; `nil` for archives and playlists.
    package var reportedMIMEType: String? { facts.uses.contains(.wrapper) ? nil : mimeType }

    /// Apple's uniform type identifier. The identifier is that of a general type if Apple has no identifier for the
    /// format.
    package var uniformTypeIdentifier: String { facts.uti }

    /// The usual file extension, without a dot.
    package var fileExtension: String { facts.extensions[0] }

    /// The format whose demuxer and checks apply to the format. Three groups of formats share a container: MP4,
    /// QuickTime and M4A; HEIC and AVIF; WebM and Matroska.
    package var container: MediaFormat { facts.container ?? self }

    /// Whether a worker decodes the format. Playlists and references to other files are never decoded.
    package var isDecoded: Bool { facts.uses.contains(.decoded) }

    /// Whether a worker makes renditions in the format. These are formats that `UNNotificationAttachment` supports, and
    /// the animations that browsers show.
    package var isRendition: Bool { facts.uses.contains(.made) }

    /// Whether `UNNotificationAttachment` supports the format (Apple, "UNNotificationAttachment", supported file
    /// types).
    package var isShownByPhones: Bool { facts.uses.contains(.shownByPhones) }

    /// Whether images of this format may be animations.
    package var mayBeAnimated: Bool { facts.uses.contains(.animated) }

    /// The formats that a worker decodes.
    package static let decoded = allCases.filter(\.isDecoded)

    /// The formats of renditions.
    package static let renditions = allCases.filter(\.isRendition)
}
