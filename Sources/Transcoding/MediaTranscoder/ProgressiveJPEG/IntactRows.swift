package import MediaHeaders

/// The rows of a damaged JPEG that are intact.
///
/// A decoder that conceals damage does not report its position. The decoder makes gray or repeated blocks up to the
/// next restart marker or to the end. This type reads the same codes and stores no samples. The type has no side
/// effects, and its work is bounded by the header: each block is visited once for each scan.
package struct IntactRows {
    /// The number of rows without damage, 0…`end`.
    package private(set) var count = 0
    /// The number of rows before the end of the data, 0…`header.height`.
    package private(set) var end = 0
    private var tables = HuffmanTables<HuffmanTable>()
    /// The number of MCUs between two restart markers; 0 if there are no markers.
    private var restartInterval = 0
    /// The number of each component's intact rows, and of its rows before the end of the data, in pixels of the image.
    private var rows: [(intact: Int, end: Int)]

    /// Reads an image, in whole rows of MCUs.
    ///
    /// A row of a progressive image is intact if its blocks have their means (DC). The other scans only sharpen it.
    ///
    /// - Parameter header: The header of these bytes. Arithmetic codes are not read, so none of their rows is intact.
    package init(_ header: JPEGHeader, of bytes: Span<UInt8>) {
        rows = header.components.map { _ in (0, 0) }
        guard [.baseline, .extended, .progressive].contains(header.process) else { return }
        var scans = header.scans[...]
        for segment in header.segments where segment.body.upperBound <= bytes.count {
            let body = bytes.extracting(segment.body)
            switch segment.marker {
            case 0xC4: _ = tables.read(body) { table, _ in table }
            case 0xDD: restartInterval = body.count == 2 ? Int(body[0]) << 8 | Int(body[1]) : 0
            case 0xDA:
                guard let scan = scans.popFirst(), segment.body.upperBound <= scan.end, scan.end <= bytes.count else {
                    break
                }
                note(scan, body, of: header, bytes, at: segment.body.upperBound..<scan.end)
            default: break
            }
        }
        count = min(header.height, rows.map(\.intact).min() ?? 0)
        end = min(header.height, rows.map(\.end).min() ?? 0)
    }

    /// Counts the intact rows of a scan.
    ///
    /// - Parameter body: The scan header (ITU-T T.81, B.2.3).
    private mutating func note(
        _ scan: JPEGScan, _ body: Span<UInt8>, of header: JPEGHeader, _ bytes: Span<UInt8>, at range: Range<Int>
    ) {
        let count = scan.components.count
        guard (1...4).contains(count), body.count == 4 + 2 * count, Set(scan.components).count == count else { return }
        let isProgressive = header.process == .progressive
        // Only the first bits of the DC coefficients are needed to show a row.
        if isProgressive, scan.spectrum != 0...0 || body[3 + 2 * count] >> 4 > 0 { return }
        var parts: [IntactScan.Part] = []
        for (place, component) in scan.components.enumerated() {
            let (dc, ac) = (Int(body[2 + 2 * place] >> 4), Int(body[2 + 2 * place] & 15))
            guard dc < 4, ac < 4, let dcTable = tables.dc[dc], isProgressive || tables.ac[ac] != nil else { return }
            let plane = BlockPlane(header.components[component], of: header, side: 1, start: 0)
            parts.append(IntactScan.Part(plane: plane, dc: dcTable, ac: isProgressive ? nil : tables.ac[ac]))
        }
        let highest = header.components.map(\.verticalSampling).max() ?? 1
        let read = IntactScan(parts: parts, restartInterval: restartInterval).rows(in: bytes, at: range)
        for (component, part) in zip(scan.components, parts) {
            // In a scan of one component, a row is a row of its blocks.
            let divisor = count == 1 ? part.plane.mcuHeight : 1
            rows[component] = (read.intact * 8 * highest / divisor, read.end * 8 * highest / divisor)
        }
    }
}
