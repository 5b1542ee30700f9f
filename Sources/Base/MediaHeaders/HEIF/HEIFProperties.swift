import Base

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
            guard count <= HEIFItems.maxItems else { throw .excessive("HEIF property associations") }
            let id = try fields.number(version == 0 ? 2 : 4, of: bytes)
            let associated = try fields.number(1, of: bytes)
            if entries[id] == nil {
                entries[id] = Entry(first: fields.offset, count: associated, isWide: isWide)
            }
            try fields.skip(associated * (isWide ? 2 : 1))
        }
    }
}

/// The rectangle of a 'clap' property (ISO 14496-12, 12.1.4). The property has the sizes of the rectangle, and the
/// distance between the centers of the rectangle and the image, as fractions.
struct CleanAperture: Equatable {
    private var numbers: [Int]

    /// Reads the body of the property.
    ///
    /// - Throws: `malformed` for a short body, an empty size, a size beyond 2³⁰, or a denominator of zero.
    init(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF crop")
        var numbers: [Int] = []
        for _ in 0..<8 { numbers.append(try fields.number(4, of: bytes)) }
        // Only the two distances are signed.
        for index in [4, 6] { numbers[index] = Int(Int32(truncatingIfNeeded: numbers[index])) }
        guard numbers[0] > 0, numbers[2] > 0, [1, 3, 5, 7].allSatisfy({ numbers[$0] > 0 }),
            [0, 2].allSatisfy({ numbers[$0] / numbers[$0 + 1] < HEIFImage.maxSide })
        else { throw .malformed("HEIF crop") }
        self.numbers = numbers
    }

    /// Returns the rectangle in whole pixels of an image with sides up to 2³⁰. It may reach beyond the image.
    ///
    /// MIAF requires whole pixels (ISO 23000-22, 7.3.6.7), so only files of faulty writers are rounded. The size is
    /// rounded to the nearest pixel, at least one. Then the upper left corner is rounded half up.
    func rectangle(width: Int, height: Int) -> Rectangle<Int> {
        let across = max(1, Self.rounded(numbers[0], over: numbers[1]))
        let down = max(1, Self.rounded(numbers[2], over: numbers[3]))
        return Rectangle(
            x: Self.corner(of: across, in: width, distance: numbers[4], over: numbers[5]),
            y: Self.corner(of: down, in: height, distance: numbers[6], over: numbers[7]), width: across, height: down)
    }

    /// Returns (side - size) / 2 + distance / denominator. Sizes have 30 bits and fields 32, so no operation overflows.
    private static func corner(of size: Int, in side: Int, distance: Int, over denominator: Int) -> Int {
        rounded((side - size) * denominator + 2 * distance, over: 2 * denominator)
    }

    /// Returns the quotient, rounded to the nearest whole number, half up.
    private static func rounded(_ numerator: Int, over denominator: Int) -> Int {
        let (quotient, remainder) = (numerator / denominator, numerator % denominator)
        let (low, rest) = remainder < 0 ? (quotient - 1, remainder + denominator) : (quotient, remainder)
        return rest >= denominator - rest ? low + 1 : low
    }
}
