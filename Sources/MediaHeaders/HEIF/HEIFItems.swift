/// The items of a file (ISO 14496-12, 8.11.6): their types by their numbers.
struct HEIFItems {
    /// The maximum number of items. An image of 100 megapixels in tiles of 512 × 512 has about 400.
    static let mostItems = 4_096

    struct Entry: Equatable {
        var type: FourCharacterCode
        /// Whether the bytes of the item are encrypted.
        var isProtected: Bool
    }

    private var entries: [Int: Entry] = [:]
    private(set) var hasExif = false
    private(set) var hasXMP = false

    /// Reads the item info box. Entries of versions 0 and 1 have no type, as no image has, and are skipped.
    init(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF item list")
        let version = try fields.versionAndFlags(of: bytes).version
        // The count is skipped, because the number of boxes states it, too.
        try fields.skip(version == 0 ? 2 : 4)
        var boxes = ISOBoxes(fields.offset..<body.upperBound)
        var count = 0
        while let box = try boxes.nextWhole(of: bytes) {
            count += 1
            guard count <= Self.mostItems else { throw .excessive("HEIF items") }
            if box.type == "infe" { try read(box.body, of: bytes) }
        }
    }

    subscript(id: Int) -> Entry? { entries[id] }

    private mutating func read(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF item entry")
        let version = try fields.versionAndFlags(of: bytes).version
        guard version == 2 || version == 3 else { return }
        let id = try fields.number(version == 2 ? 2 : 4, of: bytes)
        let protection = try fields.number(2, of: bytes)
        let type = try fields.code(of: bytes)
        if entries[id] == nil { entries[id] = Entry(type: type, isProtected: protection != 0) }
        switch type {
        case "Exif": hasExif = true
        case "mime":
            // The item's name and the content type follow, each with a zero at its end.
            while !fields.isAtEnd, try fields.number(1, of: bytes) != 0 {}
            if bytes.spells(anyCase: "application/rdf+xml", at: fields.offset) { hasXMP = true }
        default: break
        }
    }
}
