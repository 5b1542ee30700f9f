import Base
import MediaHeaders
import TranscodeProtocol

/// The decoding of a damaged JPEG. The rows with which libjpeg-turbo conceals the damage are filled.
enum DamagedJPEG {
    static func decode(
        _ source: borrowing MappedInput, facts: ImageFacts, wanted: PixelSize
    ) throws(TranscodeFailure) -> DamagedImage {
        guard let header = facts.jpeg else { throw .internalFault("JPEG: no header") }
        let rows = source.withBytes { IntactRows(header, of: $0) }
        let damage = try DamagedImage.damage(rows: rows.count, of: facts.size.height)
        let halvings = JPEGDecoding.halvings(of: facts, wanted: wanted)
        // A later scan that is damaged in the middle would change rows that earlier scans describe correctly.
        if rows.count == facts.size.height, header.process == .progressive,
            let frame = try intactScans(source, facts: facts, header, halvings: halvings)
        {
            return DamagedImage(frame: try JPEGDecoding.inLight(frame, source, facts: facts), damage: damage)
        }
        let decoder = try TurboDecoder.make(concealsDamage: true)
        let frame = try JPEGDecoding.image(source, facts: facts, decoder, halvings: halvings)
        if rows.end < facts.size.height { frame.fillRows(from: rows.end >> halvings) }
        return DamagedImage(frame: try JPEGDecoding.inLight(frame, source, facts: facts), damage: damage)
    }

    /// Decodes the scans before the first damaged one. A binary search finds it, with 7 attempts for 100 scans.
    ///
    /// - Returns: `nil` if all scans may be decoded, because only the last scan is cut or the end marker is missing.
    private static func intactScans(
        _ source: borrowing MappedInput, facts: ImageFacts, _ header: JPEGHeader, halvings: Int
    ) throws(TranscodeFailure) -> Frame? {
        let decoder = try TurboDecoder.make()
        var (intact, most) = (0, header.scanCount)
        var best: Frame?
        while intact < most {
            let count = (intact + most + 1) / 2
            let end = header.scans[count - 1].end
            let parts = (facts.decoded ?? [0..<source.count]).map { $0.clamped(to: 0..<end) }
            let packet = try Packet.of(source, ranges: parts, closedBy: JPEGDecoding.endOfImage)
            do throws(TranscodeFailure) {
                best = try packet.withBytes { bytes throws(TranscodeFailure) in
                    try decoder.image(bytes, halvings: halvings)
                }
                intact = count
            } catch {
                guard error.code == .corrupt else { throw error }
                most = count - 1
            }
        }
        let isOnlyCut = !header.isComplete && intact >= header.scanCount - 1
        return isOnlyCut ? nil : best
    }
}
