/// A comparison of a rendition with its source, as another decoder (the oracle) decodes both.
///
/// `ImageQuality` gets decoded pixels or descriptions of images, and returns flaws, or a similarity from
/// `StructuralSimilarity`. The comparison covers sizes, mean colors, low frequencies, alpha, metadata and bytes. The
/// target needs no decoder of this project: `scripts/picture-oracle` writes an `ObservedImage` for each file.
///
/// Images of different sizes have no structural similarity, and malformed descriptions are a decoding error. All
/// functions compute on the calling thread without I/O, and cannot be cancelled.
package struct ImageComparison: Sendable {
    /// The largest permitted difference between the means of a large field in both images, in levels (0…255) of a color
    /// or of the opacity.
    package var tolerance: Int
    /// The largest permitted share of sure frequencies (`ImageLook.sure`) with the opposite sign, in percent.
    package var turnedOver: Int

    /// Creates a comparison. In the fixtures' renditions, no field of 64 pixels differs by more than 3, and no
    /// frequency has the opposite sign. Display P3 that is read as sRGB differs by 46. The rest of the tolerance is for
    /// noise, for which scalers compute different means.
    package init(tolerance: Int = 10, turnedOver: Int = 5) {
        self.tolerance = tolerance
        self.turnedOver = turnedOver
    }

    /// Returns the tolerance of a rendition. The colors of a JPEG bleed by half a pixel at the edge of a field, because
    /// they are stored for two pixels at once. The bleeding matters less in a large field. 128 levels are half of the
    /// largest difference at a hard edge.
    private func tolerance(in rendition: ObservedImage) -> Int {
        tolerance + 128 / max(2, min(rendition.width, rendition.height) / ImageLook.fields)
    }

    /// Returns the flaws of a rendition.
    ///
    /// - Parameter rendition: The rendition as it is in its file.
    /// - Parameter byteCount: The size of this file.
    package func flaws(
        of rendition: ObservedImage, byteCount: Int, madeOf source: ObservedImage, as form: ImageForm
    ) -> [ImageFlaw] {
        var flaws: [ImageFlaw] = []
        let size = form.size(of: source.width, source.height)
        if size != (rendition.width, rendition.height) {
            flaws.append(.size(expected: [size.width, size.height], found: [rendition.width, rendition.height]))
        }
        let looks = self.flaws(of: rendition, like: (form.isCut ? source.cut : nil) ?? source.whole)
        flaws += looks.filter { source.transfer == nil || !$0.isOfTones }
        // A visible alpha channel may be dropped only if a PNG could have too many bytes.
        let opacity = source.whole.opacity?.min() ?? 255
        if opacity < 250, !rendition.alpha, form.maxBytes >= 4 * size.width * size.height {
            flaws.append(.alphaLost)
        }
        if rendition.alpha, !source.alpha { flaws.append(.alphaInvented) }
        let metadata = rendition.carries.filter { $0 != "icc" }
        if !metadata.isEmpty { flaws.append(.metadata(metadata)) }
        if byteCount > form.maxBytes { flaws.append(.tooManyBytes(byteCount, most: form.maxBytes)) }
        return flaws
    }

    private func flaws(of rendition: ObservedImage, like look: ImageLook) -> [ImageFlaw] {
        var flaws: [ImageFlaw] = []
        func compare(_ one: [UInt8], _ other: [UInt8], _ channels: Int) -> (field: Int, distance: Int)? {
            let distances = zip(means(one, channels, in: rendition), means(other, channels, in: rendition))
                .map { abs($0 - $1) }
            guard let worst = distances.indices.max(by: { distances[$0] < distances[$1] }),
                distances[worst] > tolerance(in: rendition)
            else { return nil }
            return (worst / channels, distances[worst])
        }
        if let (field, distance) = compare(rendition.whole.grid, look.grid, 3) {
            flaws.append(
                .color(column: field % ImageLook.fields, row: field / ImageLook.fields, distance: distance))
        }
        if rendition.alpha, let opacity = rendition.whole.opacity, let wanted = look.opacity,
            let (field, distance) = compare(opacity, wanted, 1)
        {
            flaws.append(
                .opacity(column: field % ImageLook.fields, row: field / ImageLook.fields, distance: distance))
        }
        // A field of a few pixels has other frequencies than its source.
        if min(rendition.width, rendition.height) >= 32 {
            let (bits, sure) = (
                ((rendition.whole.hash ^ look.hash) & look.sure).nonzeroBitCount, look.sure.nonzeroBitCount
            )
            if bits * 100 > sure * turnedOver { flaws.append(.structure(bits: bits, of: sure)) }
        }
        return flaws
    }

    /// Returns the means of the fields. If a side of the rendition has less than two pixels for each field, each field
    /// gets the mean of its row or column. On such a short side, a field would depend on the pixels that it happens to
    /// contain.
    private func means(_ grid: [UInt8], _ channels: Int, in rendition: ObservedImage) -> [Int] {
        let side = ImageLook.fields
        let isNarrow = rendition.width < 2 * side
        let isLow = rendition.height < 2 * side
        guard isNarrow || isLow else { return grid.map(Int.init) }
        return grid.indices.map { index in
            let (channel, column, row) = (index % channels, index / channels % side, index / channels / side)
            let columns = isNarrow ? 0..<side : column..<column + 1
            let rows = isLow ? 0..<side : row..<row + 1
            let sum = rows.reduce(0) { sum, row in
                columns.reduce(sum) { $0 + Int(grid[(row * side + $1) * channels + channel]) }
            }
            return sum / (rows.count * columns.count)
        }
    }
}
