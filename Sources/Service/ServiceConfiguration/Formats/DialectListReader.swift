import NotificationModel

/// A reader of the operator's own dialects, which reports all errors in them.
struct DialectListReader {
    /// The maximum number of dialects. Each payload is compared with each of them.
    private static let most = 100
    private static let textKeys = ["title", "subtitle", "body"]
    private static let optionKeys = ["thumbnailHidden", "thumbnailTime"]
    private static let keys =
        ["name", "recognisedBy", "media", "type"] + textKeys + ["fallback", "identifier", "link", "options"]

    private let standard: Set<DialectID>
    private var positions: [DialectID: Int] = [:]

    /// - Parameter standard: The standard dialects, whose names must not be used.
    init(excluding standard: Set<DialectID>) { self.standard = standard }

    mutating func read(_ value: ConfigNode) throws(ValueErrors) -> [DialectDefinition] {
        try value.elements(of: "dialects", most: Self.most, "elements") { entry, position throws(ValueErrors) in
            try dialect(entry, at: position)
        }
    }

    private mutating func dialect(
        _ value: ConfigNode, at position: Int
    ) throws(ValueErrors) -> DialectDefinition {
        var entry = try MappingReader(value, keys: Self.keys)
        let name = entry.required("name", .dialectName)
        if let name { refuse(name, of: &entry, at: position) }
        let discriminator = entry.required("recognisedBy", .discriminator)
        let media = entry.required("media", .list(of: "places in a payload", .keyPath))
        let type = entry.value("type", .keyPath)
        let text = Self.text(of: &entry)
        var fallback = DialectDefinition.TextPaths()
        entry.mapping("fallback", keys: Self.textKeys) { fallback = Self.text(of: &$0) }
        let identifier = entry.value("identifier", .keyPath)
        let link = entry.value("link", .keyPath)
        var options = DialectDefinition.OptionPaths()
        entry.mapping("options", keys: Self.optionKeys) { reader in
            options.thumbnailHidden = reader.value("thumbnailHidden", .keyPath)
            options.thumbnailTime = reader.value("thumbnailTime", .keyPath)
        }
        try entry.finish()
        guard let name, let discriminator, let media else { throw value.refusal("is not complete") }
        var dialect = DialectDefinition(name: name, recognisedBy: discriminator, media: media)
        dialect.type = type
        dialect.text = text
        dialect.fallback = fallback
        dialect.identifier = identifier
        dialect.link = link
        dialect.options = options
        return dialect
    }

    private static func text(of reader: inout MappingReader) -> DialectDefinition.TextPaths {
        DialectDefinition.TextPaths(
            title: reader.value("title", .keyPath), subtitle: reader.value("subtitle", .keyPath),
            body: reader.value("body", .keyPath))
    }

    /// Records an error if another dialect has the name.
    private mutating func refuse(_ name: DialectID, of entry: inout MappingReader, at position: Int) {
        if standard.contains(name) {
            entry.refuse("name", "\(name) is a standard dialect: choose another name")
        } else if let first = positions[name] {
            entry.refuse("name", "\(name) is also the name of dialects[\(first)]: choose another name")
        } else {
            positions[name] = position
        }
    }
}
