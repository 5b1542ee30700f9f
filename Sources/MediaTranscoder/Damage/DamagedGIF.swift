import MediaHeaders
import MediaTypes
import TranscodeProtocol

/// The decoding of the first image of a damaged GIF. FFmpeg's decoder conceals missing data, so the rows that have data
/// are counted first.
enum DamagedGIF {
    static func decode(
        _ source: borrowing MappedInput, facts: ImageFacts, wanted: PixelSize, limits: DecodeLimits
    ) throws(TranscodeFailure) -> DamagedImage {
        guard let image = source.withBytes({ GIFFirstImage($0) }) else {
            throw TranscodeFailure(.corrupt, "GIF: cut before its first image")
        }
        let (width, height) = (image.area.width, image.area.height)
        let rows = source.withBytes { image.pixelCount(in: $0) } / width
        let damage = try DamagedImage.damage(rows: rows, of: height, frames: facts.wholeFrames)
        let frame = try ImageDecoding.decode(source, facts: facts, wanted: wanted, limits: limits)
        let columns = (image.area.x..<image.area.x + width).clamped(to: 0..<frame.width)
        let lines = (image.area.y..<image.area.y + height).clamped(to: 0..<frame.height)
        if rows < height, !columns.isEmpty, !lines.isEmpty {
            let part = try frame.part(columns: columns, rows: lines)
            if image.isInterlaced {
                // Only rows of the last pass lack data. Each of them gets the pixels of the row above.
                part.repeatRows(from: 2 * (rows - (height + 1) / 2) + 1)
            } else {
                part.fillRows(from: rows)
            }
        }
        return DamagedImage(frame: frame, damage: damage)
    }
}
