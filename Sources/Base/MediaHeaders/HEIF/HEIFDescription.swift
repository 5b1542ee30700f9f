import Base

/// The facts that the properties of one item state about an image.
struct HEIFDescription {
    /// A step from the decoded image to the shown image.
    enum Transform: Equatable {
        case turn(ImageOrientation)
        case crop(CleanAperture)
    }

    /// The decoded size, before all transforms (ISO 23008-12, 6.5.3).
    var size: PixelSize?
    /// The records hvcC, av1C and jpgC of the item. `HEIFCodecRecord` checks later which of them fits the item's type.
    var configurations: [FourCharacterCode: Range<Int>] = [:]
    var bitDepth: Int?
    var color: CodedColor?
    var profile: Range<Int>?
    var isAlpha = false
    /// The transforms in the order of association, which is the order of application (ISO 23008-12, 6.3).
    var transforms: [Transform] = []
    /// The type of the first essential property that is not implemented here; `nil` if none exists.
    var unknownEssential: FourCharacterCode?

    /// Reads the properties. Some files list a descriptive property after a transform.
    init(_ properties: [HEIFProperties.Association], of bytes: Span<UInt8>) throws(MediaHeaderError) {
        for property in properties { try read(property, of: bytes) }
    }

    private mutating func read(_ property: HEIFProperties.Association, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        let body = property.body
        switch property.type {
        case "ispe" where size == nil: try readSize(body, of: bytes)
        case "hvcC", "av1C", "jpgC":
            if configurations[property.type] == nil { configurations[property.type] = body }
        case "pixi" where bitDepth == nil: try readDepth(body, of: bytes)
        case "colr": try readColor(body, of: bytes)
        case "auxC": isAlpha = isAlpha || Self.namesAlpha(body, of: bytes)
        case "irot":
            var fields = ISOFields(body, part: "HEIF rotation")
            // The angle is a number of quarter turns counterclockwise (ISO 23008-12, 6.5.10).
            switch try fields.number(1, of: bytes) & 3 {
            case 1: transforms.append(.turn(.turnedLeft))
            case 2: transforms.append(.turn(.turnedHalf))
            case 3: transforms.append(.turn(.turnedRight))
            default: break
            }
        case "imir":
            var fields = ISOFields(body, part: "HEIF mirror")
            // The value 0 exchanges top and bottom, 1 exchanges left and right (ISO 23008-12, 6.5.12).
            let axis = try fields.number(1, of: bytes) & 1
            transforms.append(.turn(axis == 0 ? .flipped : .mirrored))
        case "clap": transforms.append(.crop(try CleanAperture(body, of: bytes)))
        // These properties are known but not used: pixel shape, light levels, sizes of AV1 layers, texts and times.
        case "ispe", "pixi", "pasp", "clli", "mdcv", "cclv", "amve", "a1lx", "udes", "altt", "crtt", "mdft": break
        default: if property.isEssential, unknownEssential == nil { unknownEssential = property.type }
        }
    }

    private mutating func readSize(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF image size")
        try fields.skip(4)
        let size = PixelSize(width: try fields.number(4, of: bytes), height: try fields.number(4, of: bytes))
        guard HEIFImage.accepts(size) else { throw .malformed("HEIF image size") }
        self.size = size
    }

    /// Reads the bit depth of the deepest channel (ISO 23008-12, 6.5.6).
    private mutating func readDepth(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF pixel depth")
        try fields.skip(4)
        for _ in 0..<(try fields.number(1, of: bytes)) {
            bitDepth = max(bitDepth ?? 0, try fields.number(1, of: bytes))
        }
    }

    /// Reads code points or an ICC profile. An item may have both (ISO 14496-12, 12.1.5).
    private mutating func readColor(_ body: Range<Int>, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var fields = ISOFields(body, part: "HEIF colour")
        switch try fields.code(of: bytes) {
        case "nclx" where color == nil:
            color = CodedColor(
                primaries: try fields.number(2, of: bytes), transfer: try fields.number(2, of: bytes),
                matrix: try fields.number(2, of: bytes), isFullRange: try fields.number(1, of: bytes) & 0x80 != 0)
        case "prof" where profile == nil, "rICC" where profile == nil: profile = fields.offset..<body.upperBound
        default: break
        }
    }

    /// Returns whether the type of an auxiliary image or track is alpha.
    ///
    /// The first name is only for HEVC (ISO 23008-12, annex B), the second is for all codecs (ISO 23000-22, 7.3.5.2).
    static func namesAlpha(_ body: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        let names: [StaticString] = [
            "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
        ]
        // The name follows after version and flags, and ends with a zero.
        let start = body.lowerBound + 4
        return names.contains { name in
            let end = start + name.utf8CodeUnitCount
            return bytes.spells(name, at: start) && end < body.upperBound && bytes.byte(at: end) == 0
        }
    }
}
