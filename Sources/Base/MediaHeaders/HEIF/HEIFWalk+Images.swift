import Base

/// The creation of images from the items of the file.
extension HEIFWalk {
    /// The maximum number of derivation steps. Writers make one step at most.
    static let maxDerivations = 4

    /// A step of a derivation: an item and its properties.
    struct Step {
        var id: Int
        var type: FourCharacterCode
        var description: HEIFDescription
    }

    /// Returns an item and the items that it is derived from by identity ('iden', ISO 23008-12, 6.6.2.1).
    ///
    /// - Throws: `unsupported` with the name of a type or property that is not implemented here.
    func derivation(of id: Int, of bytes: Span<UInt8>) throws(MediaHeaderError) -> [Step] {
        var chain = [try step(id, of: bytes)]
        while let last = chain.last, last.type == "iden" {
            guard chain.count <= Self.maxDerivations else { throw .excessive("HEIF items that stand for others") }
            let targets = try references.targets(of: last.id, by: "dimg", of: bytes)
            guard targets.count == 1 else { throw .malformed("HEIF item \(last.id): not derived of one item") }
            chain.append(try step(targets[0], of: bytes))
        }
        return chain
    }

    func step(_ id: Int, of bytes: Span<UInt8>) throws(MediaHeaderError) -> Step {
        guard let item = items[id] else { throw .malformed("HEIF item \(id): not listed") }
        guard !item.isProtected else { throw .unsupported("encrypted HEIF items") }
        let description = try HEIFDescription(properties.associations(of: id, of: bytes), of: bytes)
        if let unknown = description.unknownEssential { throw .unsupported("HEIF property \(unknown.text)") }
        return Step(id: id, type: item.type, description: description)
    }

    /// Returns the image at the end of a derivation, with the transforms of all its items, the last item's first.
    mutating func image(_ chain: [Step], of bytes: Span<UInt8>) throws(MediaHeaderError) -> HEIFImage {
        guard let source = chain.last else { throw .malformed("HEIF derivation") }
        var image = source.type == "grid" ? try grid(source, of: bytes) : try coded(source, of: bytes)
        for step in chain.reversed() {
            for transform in step.description.transforms {
                switch transform {
                case .turn(let orientation): image.framing.turn(orientation)
                case .crop(let aperture):
                    let part = aperture.rectangle(width: image.framing.width, height: image.framing.height)
                    guard image.framing.crop(to: part) else { throw .malformed("HEIF crop: beyond the image") }
                }
            }
            image.color = step.description.color ?? image.color
            image.profile = step.description.profile ?? image.profile
        }
        return image
    }

    private mutating func coded(_ step: Step, of bytes: Span<UInt8>) throws(MediaHeaderError) -> HEIFImage {
        guard let codec = HEIFImage.Codec.allCases.first(where: { "'\($0.rawValue)'" == step.type.text }) else {
            throw .unsupported("HEIF item \(step.type.text)")
        }
        guard let size = step.description.size else { throw .malformed("HEIF item \(step.id): no size") }
        let record = try HEIFCodecRecord(codec, step.description.configurations, of: bytes)
        let extents = try locations.extents(of: step.id, inline: inline, of: bytes)
        try count(extents)
        let tile = HEIFTile(configuration: record.body, extents: extents)
        return HEIFImage(
            codec: codec, width: size.width, height: size.height, columns: 1, rows: 1, tileWidth: size.width,
            tileHeight: size.height, tiles: [tile], framing: ImageFraming(width: size.width, height: size.height),
            bitDepth: record.bitDepth ?? min(16, max(8, step.description.bitDepth ?? 8)), sampling: record.sampling,
            color: step.description.color, profile: step.description.profile)
    }

    private mutating func grid(_ step: Step, of bytes: Span<UInt8>) throws(MediaHeaderError) -> HEIFImage {
        let extents = try locations.extents(of: step.id, inline: inline, of: bytes)
        let layout = try HEIFGridLayout(extents, of: bytes)
        return try join(references.targets(of: step.id, by: "dimg", of: bytes), as: layout, of: bytes)
    }

    /// Returns a grid of these items, row by row.
    ///
    /// - Throws: `unsupported` for tiles that are derived or turned themselves (ISO 23000-22, 7.3.11.4 allows none).
    mutating func join(
        _ tiles: [Int], as layout: HEIFGridLayout, of bytes: Span<UInt8>
    ) throws(MediaHeaderError) -> HEIFImage {
        guard tiles.count == layout.columns * layout.rows else { throw .malformed("HEIF grid: number of tiles") }
        var grid: HEIFImage?
        // An item may be used for several tiles, but it is read only once.
        var known: [Int: HEIFTile] = [:]
        for id in tiles {
            if let tile = known[id] {
                try count(tile.extents)
                grid?.tiles.append(tile)
                continue
            }
            let step = try step(id, of: bytes)
            guard step.description.transforms.isEmpty else { throw .unsupported("HEIF grids of turned tiles") }
            let tile = try coded(step, of: bytes)
            known[id] = tile.tiles[0]
            guard let first = grid else {
                grid = tile
                continue
            }
            guard tile.codec == first.codec, tile.width == first.width, tile.height == first.height,
                tile.bitDepth == first.bitDepth, tile.sampling == first.sampling
            else { throw .malformed("HEIF grid: unlike tiles") }
            grid?.tiles += tile.tiles
        }
        guard var grid, layout.width <= grid.width * layout.columns, layout.height <= grid.height * layout.rows else {
            throw .malformed("HEIF grid: tiles smaller than the image")
        }
        (grid.width, grid.height, grid.columns, grid.rows) = (layout.width, layout.height, layout.columns, layout.rows)
        grid.framing = ImageFraming(width: layout.width, height: layout.height)
        return grid
    }

    private mutating func count(_ extents: [Range<Int>]) throws(MediaHeaderError) {
        extentCount += extents.count
        codedBytes = extents.reduce(codedBytes) { $0.addedOrMax($1.count) }
        guard extentCount <= Self.maxExtents else { throw .excessive("extents of HEIF items") }
        guard codedBytes <= Self.maxCodedBytes else { throw .excessive("coded bytes of HEIF items") }
    }

    /// Returns the coded previews of the primary item. A damaged preview is left out, because it is not needed.
    mutating func thumbnails(of bytes: Span<UInt8>) throws(MediaHeaderError) -> [HEIFImage] {
        var found: [HEIFImage] = []
        for id in try references.sources(by: "thmb", to: [primary], of: bytes).prefix(HEIFHeader.maxThumbnails) {
            guard let step = try? step(id, of: bytes), step.type != "grid" else { continue }
            if let image = try? image([step], of: bytes) { found.append(image) }
        }
        return found
    }
}
