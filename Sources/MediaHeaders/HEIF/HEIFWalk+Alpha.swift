/// How opaque the primary picture is (ISO 23000-22, 7.3.5.2).
extension HEIFWalk {
    /// Auxiliary pictures of one picture that are looked at: alpha, depth, mattes, gain maps.
    private static let mostAuxiliaries = 16

    typealias Alpha = (image: HEIFImage, isPremultiplied: Bool)

    /// The first auxiliary picture that is an alpha. One that nothing here decodes is none; one that is broken is an error,
    /// as the picture would look wrong without it.
    ///
    /// It may belong to the primary item, to the one that this stands for, or in parts to the tiles of a grid.
    mutating func alpha(
        of image: HEIFImage, from chain: [Step], of bytes: Span<UInt8>
    ) throws(MediaHeaderError) -> Alpha? {
        let masters = chain.map(\.id)
        for id in try references.sources(by: "auxl", to: masters, of: bytes).prefix(Self.mostAuxiliaries) {
            guard let step = try? step(id, of: bytes), step.description.isAlpha else { continue }
            do throws(MediaHeaderError) {
                return (try picture([step], of: bytes), try isPremultiplied(masters, by: id, of: bytes))
            } catch .unsupported {
                return nil
            }
        }
        guard let last = chain.last, last.type == "grid" else { return nil }
        return try alpha(ofTilesOf: last, image, of: bytes)
    }

    /// A grid like the primary one, of the alphas of its tiles, if each has one.
    private mutating func alpha(
        ofTilesOf grid: Step, _ image: HEIFImage, of bytes: Span<UInt8>
    ) throws(MediaHeaderError) -> Alpha? {
        let tiles = try references.targets(of: grid.id, by: "dimg", of: bytes)
        let auxiliaries = try references.sourcesByTarget(by: "auxl", of: bytes)
        // Each item is judged once, however many tiles it claims.
        var judged: [Int: Bool] = [:]
        var parts: [Int] = []
        for tile in tiles {
            let candidates = auxiliaries[tile, default: []].prefix(Self.mostAuxiliaries)
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
