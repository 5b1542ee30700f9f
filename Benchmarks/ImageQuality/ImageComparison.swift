/// Compares a rendition with what the oracle sees in its source.
package struct ImageComparison: Sendable {
    /// Levels of 255 that the mean of a large field may differ by, in colour or opacity.
    package var tolerance: Int
    /// The share of the sure frequencies, in percent, that may have another sign.
    package var turnedOver: Int

    /// Of the fixtures' renditions no field of 64 pixels is off by more than 3, and no frequency is turned over; Display P3
    /// that is taken for sRGB is off by 46. The rest of the room is for noise, which scalers mean in ways of their own.
    package init(tolerance: Int = 10, turnedOver: Int = 5) {
        self.tolerance = tolerance
        self.turnedOver = turnedOver
    }

    /// At the edge of a field a JPEG's colours bleed by half a pixel, as they are stored for two at once: that is less of a
    /// large field. 128 levels are half of what the colours of a hard edge differ by, at most.
    private func tolerance(in rendition: ImageSighting) -> Int {
        tolerance + 128 / max(2, min(rendition.width, rendition.height) / ImageLook.fields)
    }

    /// - Parameters:
    ///   - rendition: as it lies in its file.
    ///   - byteCount: of that file.
    package func flaws(
        of rendition: ImageSighting, byteCount: Int, madeOf source: ImageSighting, as form: ImageForm
    ) -> [ImageFlaw] {
        var flaws: [ImageFlaw] = []
        let size = form.size(of: source.width, source.height)
        if size != (rendition.width, rendition.height) {
            flaws.append(.size(expected: [size.width, size.height], found: [rendition.width, rendition.height]))
        }
        let looks = self.flaws(of: rendition, like: (form.isCut ? source.cut : nil) ?? source.whole)
        flaws += looks.filter { source.transfer == nil || !$0.isOfTones }
        // Alpha that can be seen may be lost only where a PNG could have too many bytes.
        let opacity = source.whole.opacity?.min() ?? 255
        if opacity < 250, !rendition.alpha, form.mostBytes >= 4 * size.width * size.height {
            flaws.append(.alphaLost)
        }
        if rendition.alpha, !source.alpha { flaws.append(.alphaInvented) }
        let metadata = rendition.carries.filter { $0 != "icc" }
        if !metadata.isEmpty { flaws.append(.metadata(metadata)) }
        if byteCount > form.mostBytes { flaws.append(.tooManyBytes(byteCount, most: form.mostBytes)) }
        return flaws
    }

    private func flaws(of rendition: ImageSighting, like look: ImageLook) -> [ImageFlaw] {
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
        // A field of a few pixels has other frequencies than what it was scaled from.
        if min(rendition.width, rendition.height) >= 32 {
            let (bits, sure) = (
                ((rendition.whole.hash ^ look.hash) & look.sure).nonzeroBitCount, look.sure.nonzeroBitCount
            )
            if bits * 100 > sure * turnedOver { flaws.append(.structure(bits: bits, of: sure)) }
        }
        return flaws
    }

    /// The fields, of which each has the mean of its row or column where the rendition has less than two pixels for each:
    /// where so little is left of a side, fields show which pixels they fell on.
    private func means(_ grid: [UInt8], _ channels: Int, in rendition: ImageSighting) -> [Int] {
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
