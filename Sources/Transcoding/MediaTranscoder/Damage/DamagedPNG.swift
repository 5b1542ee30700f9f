import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The decoding of a damaged PNG. A decoder reads a copy in memory with only the intact part of the data.
enum DamagedPNG {
    static func decode(
        _ source: borrowing MappedInput, facts: ImageFacts, limits: DecodeLimits
    ) throws(TranscodeFailure) -> DamagedImage {
        let chunks = try source.withBytes { bytes throws(TranscodeFailure) in
            try ImageInspection.walk("PNG", PNGChunks(bytes))
        }
        let rows = PNGRows(width: facts.size.width, height: facts.size.height, chunks)
        let intact = try source.withBytes { bytes throws(TranscodeFailure) in
            try InflatedRows.count(chunks.data, of: bytes, in: rows)
        }
        let damage = try DamagedImage.damage(
            rows: rows.rowCount(afterLines: intact.lines), of: facts.size.height, frames: facts.wholeFrames)
        let packet = try Packet.of(source.withBytes { chunks.png(of: $0, dataBytes: intact.dataBytes) })
        var frame = try Decoder.open(AV_CODEC_ID_PNG, maxPixels: limits.decodedBytes).image(of: packet)
        // In an interlaced image the decoder fills the missing rows from the earlier passes.
        if damage.rows < 100, !chunks.isInterlaced {
            if frame.pixelFormat.hasPalette || frame.pixelFormat.isBitstream { frame = try frame.withPlainPixels() }
            frame.fillRows(from: intact.lines)
        }
        if let color = facts.png?.color { frame = try AlphaMerge.named(color, frame) }
        return DamagedImage(frame: frame, damage: damage)
    }
}

/// The layout of the rows in a PNG's data, each after its filter byte. An interlaced image has seven passes.
struct PNGRows {
    /// The number of rows in each pass, and the length of one row in bytes.
    let passes: [(lines: Int, bytes: Int)]
    private let height: Int

    init(width: Int, height: Int, _ chunks: PNGChunks) {
        self.height = height
        let bits = chunks.pixelBits
        func pass(_ x: Int, _ y: Int, _ acrossStep: Int, _ downStep: Int) -> (lines: Int, bytes: Int) {
            let (across, down) = ((width - x + acrossStep - 1) / acrossStep, (height - y + downStep - 1) / downStep)
            return across > 0 && down > 0 ? (down, 1 + across.multipliedOrMax(by: bits).addedOrMax(7) / 8) : (0, 1)
        }
        // The passes of Adam7 are those of PNG, 8.2.
        passes =
            chunks.isInterlaced
            ? [
                pass(0, 0, 8, 8), pass(4, 0, 8, 8), pass(0, 4, 4, 8), pass(2, 0, 4, 4), pass(0, 2, 2, 4),
                pass(1, 0, 2, 2), pass(0, 1, 1, 2),
            ] : [pass(0, 0, 1, 1)]
    }

    /// Returns the image's complete rows after a number of rows of the data. The last pass of an interlaced image has
    /// every other row. Before that pass, the result is 0: less than half.
    func rowCount(afterLines lines: Int) -> Int {
        guard passes.count > 1 else { return lines }
        let before = passes.dropLast().reduce(0) { $0 + $1.lines }
        return lines < before ? 0 : (height + 1) / 2 + lines - before
    }
}
