import Base

/// A single pass over the boxes of a HEIF file, and some look-ups among its items.
///
/// Boxes are nested at most five deep, and each level has its own loop, so there is no recursion. Chains of references
/// are followed for a fixed number of steps, which also ends a circular chain.
struct HEIFWalk {
    /// The maximum number of extents of all images. Each takes 16 bytes in memory, and tiles may share extents.
    static let maxExtents = 16_384
    /// The maximum number of bytes in the extents of all images. A tile counts each time that it is decoded.
    ///
    /// Extents may overlap, so the size of the file is no limit. Image files have at most 40 MB.
    static let maxCodedBytes = 64 << 20

    let items: HEIFItems
    let locations: HEIFLocations
    let properties: HEIFProperties
    let references: HEIFReferences
    let primary: Int
    /// The body of the item data box; `nil` if none exists.
    let inline: Range<Int>?
    var extentCount = 0
    var codedBytes = 0

    static func header(of bytes: Span<UInt8>) throws(MediaHeaderError) -> HEIFHeader {
        let head = bytes.extracting(first: min(bytes.count, MediaSignature.wantedBytes))
        switch MediaSignature.ofISOBaseMedia(head) {
        case .heic, .avif: break
        default: throw .wrongFormat
        }
        let file = try HEIFFileBoxes(bytes)
        guard let meta = file.meta else {
            if file.isCut { throw .truncated("the HEIF file, before its meta box") }
            if file.isMinimized { throw .unsupported("HEIF in its minimized form") }
            throw file.hasTrack ? .unsupported("HEIF with a track and no image") : .malformed("HEIF without a meta box")
        }
        var walk = try HEIFWalk(meta: meta, hasTrack: file.hasTrack, of: bytes)
        return try walk.header(of: bytes, file: file)
    }

    private init(meta: Range<Int>, hasTrack: Bool, of bytes: Span<UInt8>) throws(MediaHeaderError) {
        var bodies: [FourCharacterCode: Range<Int>] = [:]
        // The boxes follow after version and flags.
        var boxes = ISOBoxes(meta.lowerBound + 4..<meta.upperBound)
        while let box = try boxes.nextWhole(of: bytes) {
            switch box.type {
            case "pitm", "iinf", "iloc", "iprp", "iref", "idat":
                if bodies[box.type] == nil { bodies[box.type] = box.body }
            default: break
            }
        }
        guard let list = bodies["iinf"], let places = bodies["iloc"], let described = bodies["iprp"],
            let first = bodies["pitm"]
        else { throw hasTrack ? .unsupported("HEIF with a track and no image") : .malformed("HEIF meta box: no items") }
        items = try HEIFItems(list, of: bytes)
        locations = try HEIFLocations(places, of: bytes)
        properties = try HEIFProperties(described, of: bytes)
        references =
            try bodies["iref"].map { body throws(MediaHeaderError) in try HEIFReferences(body, of: bytes) }
            ?? HEIFReferences()
        inline = bodies["idat"]
        var fields = ISOFields(first, part: "HEIF primary item")
        primary = try fields.number(try fields.versionAndFlags(of: bytes).version == 0 ? 2 : 4, of: bytes)
    }

    /// Returns the image sequence; `nil` if there is no track, or if its tables exceed the limits of `MP4Walk`.
    private static func sequence(_ file: HEIFFileBoxes, of bytes: Span<UInt8>) -> HEIFSequence? {
        guard let movie = file.movie, (try? MP4Walk.check(bytes)) != nil else { return nil }
        return HEIFSequence(movie, of: bytes)
    }

    private mutating func header(of bytes: Span<UInt8>, file: HEIFFileBoxes) throws(MediaHeaderError) -> HEIFHeader {
        let chain = try derivation(of: primary, of: bytes)
        let image = try image(chain, of: bytes)
        let alpha = try alpha(of: image, from: chain, of: bytes)
        let thumbnails = try thumbnails(of: bytes)
        let reach = ([image, alpha?.image].compactMap(\.self) + thumbnails)
            .flatMap(\.tiles).flatMap(\.extents).reduce(0) { max($0, $1.upperBound) }
        var whole = RetainedRanges()
        try whole.keep(0..<bytes.count)
        return HEIFHeader(
            image: image, alpha: alpha?.image, isPremultiplied: alpha?.isPremultiplied ?? false, thumbnails: thumbnails,
            hasTrack: file.hasTrack, sequence: Self.sequence(file, of: bytes),
            isComplete: !file.isCut && reach <= bytes.count, whole: whole, hasExif: items.hasExif,
            hasXMP: items.hasXMP)
    }
}
