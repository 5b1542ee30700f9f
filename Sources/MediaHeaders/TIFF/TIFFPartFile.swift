/// The head of a TIFF that has a single part of another one as its strips, for a decoder that reads no tiles.
package struct TIFFPartFile: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var tag: TIFFTag
        /// 3 of shorts, 4 of longs.
        var type: Int
        var values: [Int]
    }

    private let isLittleEndian: Bool
    /// Entries that say what the samples are, or that the strip is grey where they are unpacked here.
    private var entries: [Entry]

    init(_ fields: TIFFFields, samples: TIFFSamples, of tiff: Span<UInt8>) throws(MediaHeaderError) {
        isLittleEndian = fields.isLittleEndian
        entries = [Entry(tag: .compression, type: 3, values: [samples.compression.rawValue])]
        guard !samples.isAssembled else {
            entries += [
                Entry(tag: .bitsPerSample, type: 3, values: [samples.bitDepth]),
                Entry(tag: .photometric, type: 3, values: [1]), Entry(tag: .samplesPerPixel, type: 3, values: [1]),
            ]
            return
        }
        entries += [
            Entry(
                tag: .bitsPerSample, type: 3, values: [Int](repeating: samples.bitDepth, count: samples.count)),
            Entry(tag: .samplesPerPixel, type: 3, values: [samples.count]),
            Entry(tag: .planarConfiguration, type: 3, values: [samples.isPlanar ? 2 : 1]),
        ]
        for tag in [TIFFTag.photometric, .fillOrder, .predictor] {
            if let value = try fields.number(tag, of: tiff) {
                entries.append(Entry(tag: tag, type: 3, values: [value]))
            }
        }
        for tag in [TIFFTag.group3Options, .group4Options] {
            if let value = try fields.number(tag, of: tiff) {
                entries.append(Entry(tag: tag, type: 4, values: [value]))
            }
        }
        if let palette = try fields.numbers(.colorMap, limit: 768, of: tiff) {
            entries.append(Entry(tag: .colorMap, type: fields.entry(.colorMap)?.width == 4 ? 4 : 3, values: palette))
        }
    }

    /// Returns the bytes before the strips.
    ///
    /// - Parameters:
    ///   - width: pixels of a row, or samples where these are unpacked here.
    ///   - height: rows of all strips that are one below the other.
    ///   - rows: rows of a strip.
    ///   - strips: bytes of each strip.
    package func head(width: Int, height: Int, rows: Int, strips: [Int]) -> [UInt8] {
        func all(offsets: [Int]) -> [Entry] {
            let size = [
                Entry(tag: .width, type: 4, values: [width]), Entry(tag: .height, type: 4, values: [height]),
                Entry(tag: .rowsPerStrip, type: 4, values: [rows]),
                Entry(tag: .stripOffsets, type: 4, values: offsets),
                Entry(tag: .stripByteCounts, type: 4, values: strips),
            ]
            return (entries + size).sorted { $0.tag.rawValue < $1.tag.rawValue }
        }
        var start = head(all(offsets: strips)).count
        let offsets = strips.map { size in
            defer { start += size }
            return start
        }
        return head(all(offsets: offsets))
    }

    private func head(_ entries: [Entry]) -> [UInt8] {
        let end = 8 + 2 + entries.count * TIFFDirectory.entryBytes + 4
        var directory = number(entries.count, 2)
        var values: [UInt8] = []
        for entry in entries {
            let bytes = entry.values.flatMap { number($0, entry.type == 3 ? 2 : 4) }
            directory += number(entry.tag.rawValue, 2) + number(entry.type, 2) + number(entry.values.count, 4)
            if bytes.count <= 4 {
                directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            } else {
                directory += number(end + values.count, 4)
                values += bytes
            }
        }
        return Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + directory + number(0, 4)
            + values
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittleEndian ? little : little.reversed()
    }
}
