/// The properties of the items (ISO 23008-12, 9.3): a list of property boxes, and the associations of items with them.
struct HEIFProperties {
    /// A property of one item.
    struct Association {
        var type: FourCharacterCode
        var body: Range<Int>
        /// Whether a reader that does not know the property must ignore the item.
        var isEssential: Bool
    }

    private struct Entry {
        /// The offset of the first index in the file. `count` is the number of indices.
        var first: Int
        var count: Int
        var isWide: Bool
    }

    private var properties: [(type: FourCharacterCode, body: Range<Int>)] = []
    private var entries: [Int: Entry] = [:]

    /// Reads the item properties box: the list, then the associations, which may be in several boxes.
    init(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var boxes = ISOBoxes(body)
        var count = 0
        while let box = try boxes.nextWhole(of: bytes) {
            switch box.type {
            case "ipco" where properties.isEmpty: try readList(box.body, of: bytes)
            case "ipma": try readAssociations(box.body, of: bytes, count: &count)
            default: break
            }
        }
    }

    /// Returns the properties of an item in the order of association; empty for an item without properties.
    func associations(of id: Int, of bytes: Span<UInt8>) throws(MediaHeaderError) -> [Association] {
        guard let entry = entries[id] else { return [] }
        let size = entry.isWide ? 2 : 1
        var fields = ISOFields(entry.first..<bytes.count, part: "HEIF property associations")
        var found: [Association] = []
        found.reserveCapacity(entry.count)
        for _ in 0..<entry.count {
            let value = try fields.number(size, of: bytes)
            let mark = entry.isWide ? 0x8000 : 0x80
            let index = value & (mark - 1)
            // The index 0 stands for no property.
            guard index > 0 else { continue }
            guard index <= properties.count else { throw .malformed("HEIF item \(id): no property \(index)") }
            let property = properties[index - 1]
            found.append(Association(type: property.type, body: property.body, isEssential: value & mark != 0))
        }
        return found
    }

    private mutating func readList(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var boxes = ISOBoxes(body)
        // An index has 15 bits.
        while properties.count < 0x7FFF, let box = try boxes.nextWhole(of: bytes) {
            properties.append((box.type, box.body))
        }
    }

    private mutating func readAssociations(
        _ body: Range<Int>, of bytes: Span<UInt8>, count: inout Int
    ) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF property associations")
        let (version, flags) = try fields.versionAndFlags(of: bytes)
        let isWide = flags & 1 != 0
        for _ in 0..<(try fields.number(4, of: bytes)) {
            count += 1
            guard count <= HEIFItems.mostItems else { throw .excessive("HEIF property associations") }
            let id = try fields.number(version == 0 ? 2 : 4, of: bytes)
            let associated = try fields.number(1, of: bytes)
            if entries[id] == nil {
                entries[id] = Entry(first: fields.offset, count: associated, isWide: isWide)
            }
            try fields.skip(associated * (isWide ? 2 : 1))
        }
    }
}
