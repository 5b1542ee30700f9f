package import MediaHeaders

/// The rows of a damaged JPEG above its first damage.
///
/// A decoder that conceals damage does not say where it begins, and makes grey or repeated blocks from there on. This
/// reads the same codes and keeps no picture. Pure, and bounded by the header: each block is visited once for each scan.
package struct IntactRows {
    private var dcTables = [HuffmanTable?](repeating: nil, count: 4)
    private var acTables = [HuffmanTable?](repeating: nil, count: 4)
    private var tableCount = 0
    /// MCUs between two restart markers; 0 for none.
    private var restartInterval = 0
    /// Intact rows of each component, in pixels of the picture.
    private var rows: [Int]

    /// Returns how many rows of the picture are intact from its top on, in whole rows of MCUs.
    ///
    /// A row of a progressive picture counts if its blocks have their means (DC coefficients): the other scans only
    /// sharpen it.
    ///
    /// - Parameter header: the header of these bytes.
    /// - Returns: 0…`header.height`; 0 for arithmetic codes, which are not read.
    package static func count(_ header: JPEGHeader, of bytes: Span<UInt8>) -> Int {
        guard [.baseline, .extended, .progressive].contains(header.process) else { return 0 }
        var reading = IntactRows(rows: [Int](repeating: 0, count: header.components.count))
        var scans = header.scans[...]
        for segment in header.segments where segment.body.upperBound <= bytes.count {
            let body = bytes.extracting(segment.body)
            switch segment.marker {
            case 0xC4: reading.noteTables(body)
            case 0xDD: reading.restartInterval = body.count == 2 ? Int(body[0]) << 8 | Int(body[1]) : 0
            case 0xDA:
                guard let scan = scans.popFirst(), segment.body.upperBound <= scan.end, scan.end <= bytes.count else {
                    break
                }
                reading.note(scan, body, of: header, bytes, at: segment.body.upperBound..<scan.end)
            default: break
            }
        }
        return min(header.height, reading.rows.min() ?? 0)
    }

    private init(rows: [Int]) { self.rows = rows }

    private mutating func noteTables(_ body: Span<UInt8>) {
        let most = HuffmanTable.mostTables - tableCount
        guard let definitions = HuffmanTable.definitions(in: body, most: most) else { return }
        tableCount += definitions.count
        for definition in definitions {
            if definition.isForDC {
                dcTables[definition.number] = definition.table
            } else {
                acTables[definition.number] = definition.table
            }
        }
    }

    /// - Parameter body: the scan's header (B.2.3).
    private mutating func note(
        _ scan: JPEGScan, _ body: Span<UInt8>, of header: JPEGHeader, _ bytes: Span<UInt8>, at range: Range<Int>
    ) {
        let count = scan.components.count
        guard (1...4).contains(count), body.count == 4 + 2 * count, Set(scan.components).count == count else { return }
        let isProgressive = header.process == .progressive
        // The first bits of the DC coefficients bring the picture.
        if isProgressive, scan.spectrum != 0...0 || body[3 + 2 * count] >> 4 > 0 { return }
        var parts: [IntactScan.Part] = []
        for (place, component) in scan.components.enumerated() {
            let (dc, ac) = (Int(body[2 + 2 * place] >> 4), Int(body[2 + 2 * place] & 15))
            guard dc < 4, ac < 4, let dcTable = dcTables[dc], isProgressive || acTables[ac] != nil else { return }
            let plane = BlockPlane(header.components[component], of: header, side: 1, start: 0)
            parts.append(IntactScan.Part(plane: plane, dc: dcTable, ac: isProgressive ? nil : acTables[ac]))
        }
        let highest = header.components.map(\.verticalSampling).max() ?? 1
        let intact = IntactScan(parts: parts, restartInterval: restartInterval).rowCount(in: bytes, at: range)
        for (component, part) in zip(scan.components, parts) {
            // The rows of a scan of one component are rows of its blocks.
            rows[component] = intact * 8 * highest / (count == 1 ? part.plane.mcuHeight : 1)
        }
    }
}
