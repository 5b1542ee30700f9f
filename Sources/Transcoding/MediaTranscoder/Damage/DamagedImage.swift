import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// A damaged JPEG, PNG or GIF, decoded up to its damage. Its other rows are filled.
struct DamagedImage: ~Copyable {
    let frame: Frame
    let damage: SourceDamage

    /// Decodes a damaged image.
    ///
    /// - Parameter wanted: The largest size that is made from the image, before its orientation is applied.
    /// - Throws: `corrupt` if fewer than half of the rows can be decoded.
    static func decode(
        _ source: borrowing MappedInput, facts: ImageFacts, wanted: PixelSize, limits: DecodeLimits
    ) throws(TranscodeFailure) -> DamagedImage {
        switch facts.format {
        case .jpeg: try DamagedJPEG.decode(source, facts: facts, wanted: wanted)
        case .png: try DamagedPNG.decode(source, facts: facts, limits: limits)
        case .gif: try DamagedGIF.decode(source, facts: facts, wanted: wanted, limits: limits)
        default: throw .internalFault("damaged files of this format are not shown")
        }
    }

    /// Returns the description of the damage.
    ///
    /// - Parameter rows: The number of rows that can be decoded.
    /// - Parameter height: The number of all rows.
    /// - Parameter frames: The number of complete frames of an animation; `nil` for a still image.
    /// - Throws: `corrupt` if fewer than half of the rows can be decoded.
    static func damage(rows: Int, of height: Int, frames: Int? = nil) throws(TranscodeFailure) -> SourceDamage {
        guard rows * 2 >= height else { throw .corrupt("\(rows) of \(height) rows can be decoded") }
        let percent = UInt8(clamping: rows * 100 / height)
        return SourceDamage(rows: percent, frames: rows == height ? frames.map { UInt32(clamping: $0) } : nil)
    }
}

extension ImageInspection {
    /// Checks the header of a damaged JPEG, PNG or GIF. Only the complete frames of an animated GIF are copied.
    static func damagedFacts(
        _ bytes: Span<UInt8>, as format: MediaFormat, limits: DecodeLimits
    ) throws(TranscodeFailure) -> ImageFacts {
        var facts: ImageFacts
        switch format {
        case .jpeg:
            facts = try judge(walk("JPEG", JPEGHeader(bytes)), limits: limits, takesCut: true)
            facts.endsOfScans = [:]
            facts.kept = nil
        case .png:
            let header = try walk("PNG", PNGHeader(bytes))
            facts = try judge(header, limits: limits, takesCut: true)
            facts.wholeFrames = header.isAnimated ? 1 : nil
            facts.kept = nil
        case .gif:
            let header = try walk(
                "GIF",
                GIFHeader(
                    bytes, allowsCutFrame: true, maxFrames: Int(limits.frames),
                    maxMilliseconds: Int(clamping: limits.durationMilliseconds)))
            facts = try judge(header, limits: limits, takesCut: true)
            facts.wholeFrames = header.isCutAnimation(bytes) ? header.frameCount : nil
            if header.isComplete || !header.isAnimated { facts.kept = nil }
        default: throw .internalFault("damaged files of this format are not shown")
        }
        // An animation that is neither copied nor transcoded to a video is replaced by its first image.
        if facts.kept == nil {
            (facts.frames, facts.sourceFrames, facts.durationMilliseconds, facts.delays) = (1, nil, nil, [])
        }
        facts.isDamaged = true
        return facts
    }
}

extension GIFHeader {
    /// Returns whether the file has a complete frame and ends within a later frame.
    fileprivate func isCutAnimation(_ bytes: Span<UInt8>) -> Bool {
        guard !isComplete, frameCount > 0, let end = kept.ranges.last?.upperBound else { return false }
        return frameCount > 1 || bytes.byte(at: end) == 0x2C || bytes.littleEndian16(at: end) == 0xF921
    }
}

/// The decoding of a damaged GIF's first image. FFmpeg conceals missing data, so the rows with data are counted.
enum DamagedGIF {
    static func decode(
        _ source: borrowing MappedInput, facts: ImageFacts, wanted: PixelSize, limits: DecodeLimits
    ) throws(TranscodeFailure) -> DamagedImage {
        guard let image = source.withBytes({ GIFFirstImage($0) }) else {
            throw .corrupt("GIF: cut before its first image")
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
