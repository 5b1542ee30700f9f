/// A HEIF file that is written box by box: file type, media data, meta box.
///
/// The properties are whole boxes. Extents are offsets into the media data or into the item data box.
struct SampleHEIF {
    struct Item {
        var id: Int
        var type: String
        /// The numbers of the item's properties, counted from 1. A negative number marks a property that is not
        /// essential.
        var properties: [Int] = []
        var extents: [(offset: Int, length: Int)] = [(0, 4)]
        var references: [(type: String, to: [Int])] = []
        var method = 0
        var dataReference = 0
        var protection = 0
        var contentType = ""
    }

    var brands = ["heic", "mif1"]
    var items: [Item]
    var properties: [[UInt8]]
    var primary = 1
    var inline: [UInt8] = []
    var media: [UInt8] = Array(0..<64)
    var itemVersion = 2
    var locationVersion = 1
    var primaryVersion = 0
    var referenceVersion = 0
    var associationVersion = 0
    var hasWideIndices = false
    /// The number of bytes of an extent's offset: 0, 4 or 8.
    var offsetBytes = 4
    var lengthBytes = 4
    var baseBytes = 8
    var handler = "pict"
    /// The boxes after the meta box.
    var trailer: [UInt8] = []

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        big(8 + body.count, 4) + Array(type.utf8) + body
    }

    static func full(_ type: String, _ version: Int, flags: Int = 0, _ body: [UInt8]) -> [UInt8] {
        box(type, big(version << 24 | flags, 4) + body)
    }

    static func size(_ width: Int, _ height: Int) -> [UInt8] { full("ispe", 0, big(width, 4) + big(height, 4)) }

    static func rotation(_ quarters: UInt8) -> [UInt8] { box("irot", [quarters]) }

    static func mirror(_ axis: UInt8) -> [UInt8] { box("imir", [axis]) }

    /// Returns a crop with eight numbers: width, height and the two distances, each followed by its denominator.
    static func crop(_ numbers: [Int]) -> [UInt8] { box("clap", numbers.flatMap { big($0, 4) }) }

    static func auxiliary(_ name: String) -> [UInt8] { full("auxC", 0, Array(name.utf8) + [0]) }

    /// Returns an HEVC record with 8 bits and 4:2:0 by default.
    static func hevc(sampling: UInt8 = 1, deeper: UInt8 = 0) -> [UInt8] {
        box(
            "hvcC",
            [1] + [UInt8](repeating: 0, count: 15) + [0xFC | sampling, 0xF8 | deeper, 0xF8 | deeper, 0, 0, 15, 0])
    }

    static func av1(_ flags: UInt8 = 0x0C) -> [UInt8] { box("av1C", [0x81, 0, flags, 0]) }

    static func grid(_ rows: Int, _ columns: Int, _ width: Int, _ height: Int) -> [UInt8] {
        [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + big(width, 2) + big(height, 2)
    }

    /// Returns a file with one HEVC image of 64 × 48, which has further properties.
    static func still(_ extra: [[UInt8]] = [], type: String = "hvc1") -> SampleHEIF {
        let properties = [size(64, 48), hevc()] + extra
        return SampleHEIF(
            items: [Item(id: 1, type: type, properties: Array(1...properties.count))], properties: properties)
    }

    /// Returns a file with a grid of HEVC tiles of 64 × 48. The tiles are the items from 2 on.
    static func gridded(rows: Int, columns: Int, width: Int, height: Int) -> SampleHEIF {
        let ids = Array(2..<2 + rows * columns)
        let grid = Item(
            id: 1, type: "grid", extents: [(0, 8)], references: [("dimg", ids)], method: 1)
        let tiles = ids.map { Item(id: $0, type: "hvc1", properties: [1, 2], extents: [($0, 1)]) }
        return SampleHEIF(
            items: [grid] + tiles, properties: [size(64, 48), hevc()], inline: self.grid(rows, columns, width, height))
    }

    var head: [UInt8] {
        Self.box("ftyp", Array(brands[0].utf8) + [0, 0, 0, 0] + brands.flatMap { Array($0.utf8) })
    }

    /// The offset of the first byte of the media data.
    var mediaOffset: Int { head.count + 8 }

    var bytes: [UInt8] {
        head + Self.box("mdat", media) + meta + trailer
    }

    var meta: [UInt8] {
        var body = Self.full("hdlr", 0, [0, 0, 0, 0] + Array(handler.utf8) + [UInt8](repeating: 0, count: 13))
        body += Self.full("pitm", primaryVersion, Self.big(primary, primaryVersion == 0 ? 2 : 4))
        body += locations
        body += infos
        body += references
        body += Self.box("iprp", Self.box("ipco", Array(properties.joined())) + associations)
        if !inline.isEmpty { body += Self.box("idat", inline) }
        return Self.full("meta", 0, body)
    }

    private var infos: [UInt8] {
        var body = Self.big(items.count, 2)
        for item in items {
            var entry = Self.big(item.id, itemVersion == 3 ? 4 : 2) + Self.big(item.protection, 2)
            entry += Array("\(item.type)name".utf8) + [0] + Array(item.contentType.utf8) + [0]
            body += Self.full("infe", itemVersion, entry)
        }
        return Self.full("iinf", 0, body)
    }

    private var references: [UInt8] {
        let width = referenceVersion == 0 ? 2 : 4
        var body: [UInt8] = []
        for item in items {
            for (type, to) in item.references {
                let numbers = to.flatMap { Self.big($0, width) }
                body += Self.box(type, Self.big(item.id, width) + Self.big(to.count, 2) + numbers)
            }
        }
        return body.isEmpty ? [] : Self.full("iref", referenceVersion, body)
    }

    private var locations: [UInt8] {
        let idBytes = locationVersion == 2 ? 4 : 2
        var body = [UInt8(offsetBytes << 4 | lengthBytes), UInt8(baseBytes << 4)] + Self.big(items.count, idBytes)
        for item in items {
            body += Self.big(item.id, idBytes)
            if locationVersion > 0 { body += Self.big(item.method, 2) }
            body += Self.big(item.dataReference, 2)
            body += Self.big(item.method == 0 ? mediaOffset : 0, baseBytes)
            body += Self.big(item.extents.count, 2)
            for extent in item.extents {
                body += Self.big(extent.offset, offsetBytes) + Self.big(extent.length, lengthBytes)
            }
        }
        return Self.full("iloc", locationVersion, body)
    }

    private var associations: [UInt8] {
        var body = Self.big(items.count, 4)
        for item in items {
            body += Self.big(item.id, associationVersion == 0 ? 2 : 4)
            body.append(UInt8(item.properties.count))
            for number in item.properties {
                let index = abs(number)
                if hasWideIndices {
                    body += Self.big(number > 0 ? 0x8000 | index : index, 2)
                } else {
                    body.append(UInt8(number > 0 ? 0x80 | index : index))
                }
            }
        }
        return Self.full("ipma", associationVersion, flags: hasWideIndices ? 1 : 0, body)
    }
}
