/// A track of an image sequence (ISO 23008-12, 7). After an unreadable box, the walk continues after its parent.
package struct HEIFTrack: Sendable, Equatable {
    /// The number of the track in the movie, counted from 0.
    package let number: Int
    /// The width of each frame in pixels, as the sample entry states it; 0 unless the track has exactly one, of AV1.
    package private(set) var width = 0
    package private(set) var height = 0
    /// The bits of a sample, 8…12.
    package private(set) var bitDepth = 8
    package private(set) var sampling: HEIFImage.Sampling?
    /// Whether the frames are the alpha of another track (ISO 23008-12, 7.5.3). Depth maps are auxiliary, too.
    private(set) var isAlpha = false
    private(set) var times = AnimationTimes()
    private(set) var handler: FourCharacterCode?
    /// Whether the track has a box for metadata.
    private(set) var hasMetadata = false
    /// The units of time in a second.
    private var scale = 0
    /// The duration of all repetitions, in units of the movie like `Edits.repeated`; `nil` if it has no end.
    private var duration: UInt64?
    private var edits: Edits?

    private enum Edits: Equatable {
        case once
        /// The edit list is repeated for the duration of the track. The value is the duration of one repetition.
        case repeated(UInt64)
        /// The edit list is one that libavif would refuse.
        case unknown
    }

    package var pixels: Int { width * height }
    /// The number of bytes of all planes of a decoded frame.
    package var frameBytes: Int { bytes(of: pixels) }
    var isCoded: Bool { pixels > 0 }

    /// The number of times that the frames are played, at least 1; `nil` if they are played forever. Browsers also play
    /// a track without an edit list forever (ISO 23008-12, 9.6.1).
    var plays: Int? {
        switch edits {
        case .once: return 1
        case .repeated(let time):
            guard let duration else { return nil }
            let (whole, rest) = duration.quotientAndRemainder(dividingBy: time)
            return max(1, Int(clamping: whole).addedOrMax(rest > 0 ? 1 : 0))
        case .unknown, nil: return nil
        }
    }

    /// Returns the number of bytes of this many pixels of a decoded frame, in all planes.
    package func bytes(of pixels: Int) -> Int {
        HEIFImage.bytes(of: pixels, sampling: sampling, bitDepth: bitDepth)
    }

    static func isMetadata(_ type: FourCharacterCode) -> Bool { type == "udta" || type == "meta" }

    /// Reads the boxes of a track.
    ///
    /// - Parameter body: The body of the track box.
    /// - Parameter number: The number of the track in the movie, counted from 0.
    init(_ body: Range<Int>, number: Int, of bytes: Span<UInt8>) {
        self.number = number
        var parents = [ISOBoxes(body)]
        while var parent = parents.popLast() {
            guard let box = (try? parent.nextWhole(of: bytes)) ?? nil else { continue }
            parents.append(parent)
            hasMetadata = hasMetadata || Self.isMetadata(box.type)
            switch box.type {
            case "mdia", "minf", "stbl", "edts": if parents.count < 4 { parents.append(ISOBoxes(box.body)) }
            case "hdlr" where handler == nil: handler = bytes.code(at: box.body.lowerBound + 8)
            case "mdhd":
                let isLong = bytes.byte(at: box.body.lowerBound) == 1
                scale = bytes.bigEndian32(at: box.body.lowerBound + (isLong ? 20 : 12)) ?? 0
            case "tkhd": readDuration(box.body, of: bytes)
            case "elst" where edits == nil: edits = Self.edits(box.body, of: bytes)
            case "stts": readTimes(box.body, of: bytes)
            case "stsd" where !isCoded: readDescription(box.body, of: bytes)
            default: break
            }
        }
    }

    /// Reads the duration in the track header. All bits of an unknown one are set (ISO 14496-12, 8.3.2).
    private mutating func readDuration(_ body: Range<Int>, of bytes: Span<UInt8>) {
        let isLong = bytes.byte(at: body.lowerBound) == 1
        let time = Self.time(at: body.lowerBound + (isLong ? 28 : 20), isLong: isLong, of: bytes)
        duration = time == (isLong ? .max : UInt64(UInt32.max)) ? nil : time
    }

    /// Returns whether an edit list is repeated (ISO 14496-12, 8.6.6).
    private static func edits(_ body: Range<Int>, of bytes: Span<UInt8>) -> Edits {
        guard let flags = bytes.byte(at: body.lowerBound + 3) else { return .unknown }
        guard flags & 1 != 0 else { return .once }
        let isLong = bytes.byte(at: body.lowerBound) == 1
        guard bytes.bigEndian32(at: body.lowerBound + 4) == 1,
            let time = Self.time(at: body.lowerBound + 8, isLong: isLong, of: bytes), time > 0
        else { return .unknown }
        return .repeated(time)
    }

    private static func time(at offset: Int, isLong: Bool, of bytes: Span<UInt8>) -> UInt64? {
        if isLong { return bytes.bigEndian64(at: offset).map { UInt64(bitPattern: Int64($0)) } }
        return bytes.bigEndian32(at: offset).map { UInt64($0) }
    }

    /// Reads the rows of the time table. Each row has a number of frames, and the delay of each of these frames.
    private mutating func readTimes(_ body: Range<Int>, of bytes: Span<UInt8>) {
        guard scale > 0, times.count == 0, let rows = bytes.bigEndian32(at: body.lowerBound + 4) else { return }
        for row in 0..<min(rows, max(0, body.count - 8) / 8) {
            let start = body.lowerBound + 8 + 8 * row
            guard let frames = bytes.bigEndian32(at: start), let units = bytes.bigEndian32(at: start + 4) else {
                return
            }
            times.append(frames, microseconds: units * 1_000_000 / scale)
        }
    }

    /// Reads the sample entry (ISO 14496-12, 12.1.3.2). Several entries could have several sizes, and are ignored.
    private mutating func readDescription(_ body: Range<Int>, of bytes: Span<UInt8>) {
        guard body.count > 8, bytes.bigEndian32(at: body.lowerBound + 4) == 1 else { return }
        var entries = ISOBoxes(body.lowerBound + 8..<body.upperBound)
        guard let entry = (try? entries.nextWhole(of: bytes)) ?? nil, entry.type == "av01", entry.body.count > 78,
            let width = bytes.bigEndian16(at: entry.body.lowerBound + 24),
            let height = bytes.bigEndian16(at: entry.body.lowerBound + 26)
        else { return }
        var records: [FourCharacterCode: Range<Int>] = [:]
        var boxes = ISOBoxes(entry.body.lowerBound + 78..<entry.body.upperBound)
        while let box = (try? boxes.nextWhole(of: bytes)) ?? nil {
            switch box.type {
            case "av1C" where records[box.type] == nil: records[box.type] = box.body
            case "auxi": isAlpha = isAlpha || HEIFDescription.namesAlpha(box.body, of: bytes)
            default: break
            }
        }
        guard let record = try? HEIFCodecRecord(.av1, records, of: bytes) else { return }
        (self.width, self.height) = (width, height)
        (bitDepth, sampling) = (record.bitDepth ?? 8, record.sampling)
    }
}

/// The tracks of an image sequence (ISO 23008-12, 7): the frames, and their alpha.
package struct HEIFSequence: Sendable, Equatable {
    /// The track with the frames.
    package private(set) var colors: HEIFTrack
    /// The track with the alpha of the frames; `nil` if none has the same number of frames. Its size may differ.
    package private(set) var alpha: HEIFTrack?
    /// Whether the movie box or one of its tracks has a box for metadata.
    package private(set) var hasMetadata = false

    /// Reads the tracks of a movie box.
    ///
    /// - Parameter movie: The body of the movie box.
    /// - Returns: `nil` if there is no image track of AV1, or if it has no frames.
    init?(_ movie: Range<Int>, of bytes: Span<UInt8>) {
        var images: HEIFTrack?
        var alpha: HEIFTrack?
        var boxes = ISOBoxes(movie)
        var number = 0
        while let box = try? boxes.nextWhole(of: bytes) {
            guard box.type == "trak" else {
                hasMetadata = hasMetadata || HEIFTrack.isMetadata(box.type)
                continue
            }
            let track = HEIFTrack(box.body, number: number, of: bytes)
            hasMetadata = hasMetadata || track.hasMetadata
            switch track.handler {
            case "pict" where images == nil && track.isCoded: images = track
            case "auxv" where alpha == nil && track.isCoded && track.isAlpha: alpha = track
            default: break
            }
            number += 1
        }
        guard let images, images.times.count > 0 else { return nil }
        colors = images
        self.alpha = alpha?.times.count == images.times.count ? alpha : nil
    }

    /// The delay of each frame.
    package var times: AnimationTimes { colors.times }

    /// The number of times that the sequence is played; `nil` if it is played forever.
    package var plays: Int? { colors.plays }

    /// The number of bytes of a decoded frame and its alpha.
    package var frameBytes: Int { colors.frameBytes + (alpha?.frameBytes ?? 0) }
}
