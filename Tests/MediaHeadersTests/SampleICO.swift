/// An icon file that is written entry by entry.
struct SampleICO {
    struct Entry {
        var content: [UInt8]
        /// The size in the directory. If `nil`, the directory states the true size.
        var count: Int?
        var offset: Int?
    }

    var type = 1
    var declaredEntries: Int?
    var entries: [Entry]

    init(_ contents: [[UInt8]]) {
        entries = contents.map { Entry(content: $0) }
    }

    /// Returns a bitmap whose height includes the mask, followed by its pixels and its mask.
    static func bitmap(
        side: Int, bits: Int, headerBytes: Int = 40, compression: Int = 0, masks: [Int] = [], palette: [UInt8] = [],
        colorsUsed: Int = 0, pixels: [UInt8], mask: [UInt8]
    ) -> [UInt8] {
        let sample = SampleBMP(
            headerBytes: headerBytes, width: side, height: 2 * side, bitDepth: bits, compression: compression,
            colorsUsed: colorsUsed, masks: masks, palette: palette)
        return sample.dib + pixels + mask
    }

    var bytes: [UInt8] {
        var directory = [0, 0] + SampleBMP.little(type, 2) + SampleBMP.little(declaredEntries ?? entries.count, 2)
        var body: [UInt8] = []
        for entry in entries {
            let offset = 6 + 16 * entries.count + body.count
            // The size and the bits in the directory are wrong, because they are not read.
            directory += [99, 99, 0, 0, 9, 0, 9, 0]
            directory += SampleBMP.little(entry.count ?? entry.content.count, 4)
            directory += SampleBMP.little(entry.offset ?? offset, 4)
            body += entry.content
        }
        return directory + body
    }
}
