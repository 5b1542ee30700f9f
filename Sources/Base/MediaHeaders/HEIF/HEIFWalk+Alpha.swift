/// The search for the alpha of the primary image (ISO 23000-22, 7.3.5.2).
extension HEIFWalk {
    /// The maximum number of auxiliary images of one image that are read: alpha, depth, mattes and gain maps.
    private static let maxAuxiliaries = 16

    typealias Alpha = (image: HEIFImage, isPremultiplied: Bool)

    /// Returns the first auxiliary image that is an alpha; `nil` if none exists, or if its coding is not supported.
    ///
    /// The alpha may belong to the primary item, or to the item of which it is derived, or to each tile of a grid.
    ///
    /// - Throws: The error of a damaged alpha, because the image would look wrong without it.
    mutating func alpha(
        of image: HEIFImage, from chain: [Step], of bytes: Span<UInt8>
    ) throws(MediaHeaderError) -> Alpha? {
        let masters = chain.map(\.id)
        for id in try references.sources(by: "auxl", to: masters, of: bytes).prefix(Self.maxAuxiliaries) {
            guard let step = try? step(id, of: bytes), step.description.isAlpha else { continue }
            do throws(MediaHeaderError) {
                return (try self.image([step], of: bytes), try isPremultiplied(masters, by: id, of: bytes))
            } catch .unsupported {
                return nil
            }
        }
        guard let last = chain.last, last.type == "grid" else { return nil }
        return try alpha(ofTilesOf: last, image, of: bytes)
    }

    /// Returns a grid of the alphas of the tiles, arranged like the primary image; `nil` if a tile has no alpha.
    private mutating func alpha(
        ofTilesOf grid: Step, _ image: HEIFImage, of bytes: Span<UInt8>
    ) throws(MediaHeaderError) -> Alpha? {
        let tiles = try references.targets(of: grid.id, by: "dimg", of: bytes)
        let auxiliaries = try references.sourcesByTarget(by: "auxl", of: bytes)
        // Each item is read once, even if many tiles refer to it.
        var judged: [Int: Bool] = [:]
        var parts: [Int] = []
        for tile in tiles {
            let candidates = auxiliaries[tile, default: []].prefix(Self.maxAuxiliaries)
            let alpha = candidates.first { id in
                if let known = judged[id] { return known }
                let isAlpha = (try? step(id, of: bytes))?.description.isAlpha ?? false
                judged[id] = isAlpha
                return isAlpha
            }
            guard let alpha else { return nil }
            parts.append(alpha)
        }
        let layout = HEIFGridLayout(columns: image.columns, rows: image.rows, width: image.width, height: image.height)
        do throws(MediaHeaderError) {
            let joined = try join(parts, as: layout, of: bytes)
            return (joined, try isPremultiplied([grid.id, tiles[0]], by: parts[0], of: bytes))
        } catch .unsupported {
            return nil
        }
    }

    private func isPremultiplied(
        _ masters: [Int], by alpha: Int, of bytes: Span<UInt8>
    ) throws(MediaHeaderError) -> Bool {
        let multiplied = try references.sources(by: "prem", to: [alpha], of: bytes)
        return masters.contains { multiplied.contains($0) }
    }
}
