/// The facts that the properties of one item state, as far as pictures need them.
struct HEIFDescription {
    /// One step from the decoded picture to the shown one.
    enum Transform: Equatable {
        case turn(ImageOrientation)
        case crop(CleanAperture)
    }

    /// The decoded size, before all transforms (ISO 23008-12, 6.5.3).
    var size: (width: Int, height: Int)?
    /// hvcC, av1C or jpgC, whichever the item has: which of them fits its type is judged later.
    var configurations: [FourCharacterCode: Range<Int>] = [:]
    var bitDepth: Int?
    var colour: CodedColour?
    var profile: Range<Int>?
    var isAlpha = false
    /// In the order of association, which is the order of application (ISO 23008-12, 6.3).
    var transforms: [Transform] = []
    /// The first property that a reader must know and this one does not.
    var unknownEssential: FourCharacterCode?

    /// Descriptive properties count wherever they stand: real files list some behind their transforms.
    init(_ properties: [HEIFProperties.Association], of bytes: Span<UInt8>) throws(MediaHeaderError) {
        for property in properties { try read(property, of: bytes) }
    }

    private mutating func read(
        _ property: HEIFProperties.Association, of bytes: Span<UInt8>
    ) throws(MediaHeaderError) {
        let body = property.body
        switch property.type {
        case "ispe" where size == nil: try readSize(body, of: bytes)
        case "hvcC", "av1C", "jpgC":
            if configurations[property.type] == nil { configurations[property.type] = body }
        case "pixi" where bitDepth == nil: try readDepth(body, of: bytes)
        case "colr": try readColour(body, of: bytes)
        case "auxC": isAlpha = isAlpha || Self.namesAlpha(body, of: bytes)
        case "irot":
            var fields = ISOFields(body, part: "HEIF rotation")
            // Quarters against the clock (ISO 23008-12, 6.5.10).
            switch try fields.number(1, of: bytes) & 3 {
            case 1: transforms.append(.turn(.turnedLeft))
            case 2: transforms.append(.turn(.turnedHalf))
            case 3: transforms.append(.turn(.turnedRight))
            default: break
            }
        case "imir":
            var fields = ISOFields(body, part: "HEIF mirror")
            // 0 exchanges top and bottom, 1 left and right (ISO 23008-12, 6.5.12).
            let axis = try fields.number(1, of: bytes) & 1
            transforms.append(.turn(axis == 0 ? .flipped : .mirrored))
        case "clap": transforms.append(.crop(try CleanAperture(body, of: bytes)))
        // Known, and of no use here: pixel shape, light levels, sizes of AV1 layers, texts and times.
        case "ispe", "pixi", "pasp", "clli", "mdcv", "cclv", "amve", "a1lx", "udes", "altt", "crtt", "mdft":
            break
        default:
            if property.isEssential, unknownEssential == nil { unknownEssential = property.type }
        }
    }

    private mutating func readSize(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF picture size")
        try fields.skip(4)
        let width = try fields.number(4, of: bytes)
        let height = try fields.number(4, of: bytes)
        guard (1...HEIFImage.mostSide).contains(width), (1...HEIFImage.mostSide).contains(height) else {
            throw .malformed("HEIF picture size")
        }
        size = (width, height)
    }

    /// The deepest channel counts (ISO 23008-12, 6.5.6).
    private mutating func readDepth(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF pixel depth")
        try fields.skip(4)
        for _ in 0..<(try fields.number(1, of: bytes)) {
            bitDepth = max(bitDepth ?? 0, try fields.number(1, of: bytes))
        }
    }

    /// Code points and a profile may both be there (ISO 14496-12, 12.1.5).
    private mutating func readColour(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF colour")
        switch try fields.code(of: bytes) {
        case "nclx" where colour == nil:
            colour = CodedColour(
                primaries: try fields.number(2, of: bytes), transfer: try fields.number(2, of: bytes),
                matrix: try fields.number(2, of: bytes), isFullRange: try fields.number(1, of: bytes) & 0x80 != 0)
        case "prof" where profile == nil, "rICC" where profile == nil:
            profile = fields.offset..<body.upperBound
        default: break
        }
    }

    /// Whether the type of an auxiliary picture or track is alpha.
    ///
    /// The first name is HEVC's (ISO 23008-12, annex B), the second everybody's (ISO 23000-22, 7.3.5.2).
    static func namesAlpha(_ body: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        let names: [StaticString] = [
            "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
        ]
        // Behind version and flags; a zero ends it.
        let start = body.lowerBound + 4
        return names.contains { name in
            let end = start + name.utf8CodeUnitCount
            return bytes.spells(name, at: start) && end < body.upperBound && bytes.byte(at: end) == 0
        }
    }
}
