/// The references between items (ISO 14496-12, 8.11.12): tiles, alpha, thumbnails and descriptions.
struct HEIFReferences {
    /// The maximum number of references, four for each item. A file with more is hostile.
    static let maxReferences = 4 * HEIFItems.maxItems

    private struct Entry {
        var type: FourCharacterCode
        var from: Int
        /// The offset of the first target's number in the file. `count` is the number of targets.
        var first: Int
        var count: Int
    }

    private var entries: [Entry] = []
    private var numberBytes = 2

    /// Creates the references of a file that has none.
    init() {}

    init(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF item references")
        numberBytes = try fields.versionAndFlags(of: bytes).version == 0 ? 2 : 4
        var boxes = ISOBoxes(fields.offset..<body.upperBound)
        while let box = try boxes.nextWhole(of: bytes) {
            guard entries.count < Self.maxReferences else { throw .excessive("HEIF item references") }
            var fields = ISOFields(box.body, part: "HEIF item reference")
            let from = try fields.number(numberBytes, of: bytes)
            let count = try fields.number(2, of: bytes)
            entries.append(Entry(type: box.type, from: from, first: fields.offset, count: count))
            try fields.skip(count * numberBytes)
        }
    }

    /// Returns the targets of the item's first reference of this type, in order; empty if none exists.
    func targets(of id: Int, by type: FourCharacterCode, of bytes: Span<UInt8>) throws(MediaHeaderError) -> [Int] {
        guard let entry = entries.first(where: { $0.type == type && $0.from == id }) else { return [] }
        return try targets(of: entry, of: bytes)
    }

    /// Returns the items that refer to one of the `wanted` items by this type, in order, without the wanted items.
    func sources(
        by type: FourCharacterCode, to wanted: [Int], of bytes: Span<UInt8>
    ) throws(MediaHeaderError) -> [Int] {
        var found: [Int] = []
        for entry in entries where entry.type == type && !wanted.contains(entry.from) {
            let targets = try targets(of: entry, of: bytes)
            if targets.contains(where: { wanted.contains($0) }) { found.append(entry.from) }
        }
        return found
    }

    /// Returns the items that refer to each target by this type, in order.
    func sourcesByTarget(by type: FourCharacterCode, of bytes: Span<UInt8>) throws(MediaHeaderError) -> [Int: [Int]] {
        var sources: [Int: [Int]] = [:]
        for entry in entries where entry.type == type {
            for target in try targets(of: entry, of: bytes) { sources[target, default: []].append(entry.from) }
        }
        return sources
    }

    private func targets(of entry: Entry, of bytes: Span<UInt8>) throws(MediaHeaderError) -> [Int] {
        var fields = ISOFields(entry.first..<bytes.count, part: "HEIF item reference")
        var targets: [Int] = []
        targets.reserveCapacity(entry.count)
        for _ in 0..<entry.count { targets.append(try fields.number(numberBytes, of: bytes)) }
        return targets
    }
}

/// The items of a file (ISO 14496-12, 8.11.6): their types by their numbers.
struct HEIFItems {
    /// The maximum number of items. An image of 100 megapixels in tiles of 512 × 512 has about 400.
    static let maxItems = 4_096

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
            guard count <= Self.maxItems else { throw .excessive("HEIF items") }
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
