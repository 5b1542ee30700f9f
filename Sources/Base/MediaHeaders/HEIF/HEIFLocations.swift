/// The offsets of the items' bytes in the file (ISO 14496-12, 8.11.3). An item's extents are read when it is needed.
struct HEIFLocations {
    /// The maximum number of extents of one item. Most writers make one; interleaved color and alpha take a few.
    static let maxExtents = 1_024

    private struct Entry {
        var method: Int
        var dataReference: Int
        var base: Int
        /// The offset of the first extent in the file. `count` is the number of extents.
        var first: Int
        var count: Int
    }

    private var entries: [Int: Entry] = [:]
    private var indexBytes = 0
    private var offsetBytes = 0
    private var lengthBytes = 0
    private let end: Int

    init(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        end = body.upperBound
        var fields = ISOFields(body, part: "HEIF item locations")
        let version = try fields.versionAndFlags(of: bytes).version
        guard version <= 2 else { throw .unsupported("HEIF item locations of version \(version)") }
        let sizes = try fields.number(2, of: bytes)
        offsetBytes = sizes >> 12
        lengthBytes = sizes >> 8 & 15
        let baseBytes = sizes >> 4 & 15
        // Version 0 reserves these bits.
        indexBytes = version == 0 ? 0 : sizes & 15
        for size in [offsetBytes, lengthBytes, baseBytes, indexBytes] where ![0, 4, 8].contains(size) {
            throw .malformed("HEIF item locations")
        }
        let count = try fields.number(version == 2 ? 4 : 2, of: bytes)
        guard count <= HEIFItems.maxItems else { throw .excessive("HEIF item locations") }
        for _ in 0..<count {
            let id = try fields.number(version == 2 ? 4 : 2, of: bytes)
            let method = version == 0 ? 0 : try fields.number(2, of: bytes) & 15
            let dataReference = try fields.number(2, of: bytes)
            let base = try fields.number(baseBytes, of: bytes)
            let extents = try fields.number(2, of: bytes)
            let entry = Entry(
                method: method, dataReference: dataReference, base: base, first: fields.offset, count: extents)
            try fields.skip(extents * (indexBytes + offsetBytes + lengthBytes))
            if entries[id] == nil { entries[id] = entry }
        }
    }

    /// Returns the ranges of the file that make up an item, in the order of joining. They may lie beyond the bytes.
    ///
    /// - Parameter inline: The body of the item data box, for items that lie in it; `nil` if there is no such box.
    /// - Throws: `malformed`, `excessive`, or `unsupported` for data of other items or other files.
    func extents(of id: Int, inline: Range<Int>?, of bytes: Span<UInt8>) throws(MediaHeaderError) -> [Range<Int>] {
        guard let entry = entries[id] else { throw .malformed("HEIF item \(id): no location") }
        guard entry.count <= Self.maxExtents else { throw .excessive("extents of HEIF item \(id)") }
        let source: Range<Int>
        switch entry.method {
        case 0:
            guard entry.dataReference == 0 else { throw .unsupported("HEIF items in another file") }
            source = 0..<bytes.count
        case 1:
            guard let inline else { throw .malformed("HEIF item \(id): no item data box") }
            source = inline
        default: throw .unsupported("HEIF items made of other items")
        }
        var fields = ISOFields(entry.first..<end, part: "HEIF item locations")
        var extents: [Range<Int>] = []
        extents.reserveCapacity(entry.count)
        for _ in 0..<entry.count {
            try fields.skip(indexBytes)
            let offset = try fields.number(offsetBytes, of: bytes)
            let length = try fields.number(lengthBytes, of: bytes)
            let start = source.lowerBound.addedOrMax(entry.base).addedOrMax(offset)
            // A single extent without a length reaches to the end of the file or of the item data box.
            let isOpen = length == 0 && entry.count == 1
            let end = isOpen ? max(start, source.upperBound) : start.addedOrMax(length)
            guard end < .max else { throw .malformed("HEIF item \(id): an offset beyond 2^63") }
            guard entry.method == 0 || end <= source.upperBound else {
                throw .malformed("HEIF item \(id): beyond the item data box")
            }
            if start < end { extents.append(start..<end) }
        }
        guard !extents.isEmpty else { throw .malformed("HEIF item \(id): no data") }
        return extents
    }
}
