/// The tracks of an image sequence (ISO 23008-12, 7): the frames, and how opaque they are.
package struct HEIFSequence: Sendable, Equatable {
    /// The number of the track with the frames, from 0 on.
    package private(set) var colours: Int
    /// The number of the track with their alpha, which has as many frames.
    package private(set) var alpha: Int?
    package private(set) var times: AnimationTimes
    /// Whether a box of the tracks is for metadata.
    package private(set) var hasMetadata = false

    /// - Parameter movie: the body of the movie box.
    /// - Returns: `nil` without a track of pictures, and for boxes that contradict themselves.
    init?(_ movie: Range<Int>, of bytes: Span<UInt8>) {
        var pictures: (number: Int, times: AnimationTimes)?
        var alpha: (number: Int, times: AnimationTimes)?
        var boxes = ISOBoxes(movie)
        var number = 0
        while let box = try? boxes.nextWhole(of: bytes) {
            guard box.type == "trak" else {
                hasMetadata = hasMetadata || HEIFTrack.isMetadata(box.type)
                continue
            }
            let track = HEIFTrack(box.body, of: bytes)
            hasMetadata = hasMetadata || track.hasMetadata
            switch track.handler {
            case "pict" where pictures == nil: pictures = (number, track.times)
            case "auxv" where alpha == nil: alpha = (number, track.times)
            default: break
            }
            number += 1
        }
        guard let pictures, pictures.times.count > 0 else { return nil }
        colours = pictures.number
        times = pictures.times
        self.alpha = alpha?.times.count == pictures.times.count ? alpha?.number : nil
    }
}

/// One track of a sequence, as far as its boxes can be read.
private struct HEIFTrack {
    private(set) var handler: FourCharacterCode?
    private(set) var times = AnimationTimes()
    private(set) var hasMetadata = false
    /// Units of time in a second.
    private var scale = 0

    static func isMetadata(_ type: FourCharacterCode) -> Bool { type == "udta" || type == "meta" }

    init(_ body: Range<Int>, of bytes: Span<UInt8>) {
        var parents = [ISOBoxes(body)]
        while var parent = parents.popLast() {
            guard let box = (try? parent.nextWhole(of: bytes)) ?? nil else { continue }
            parents.append(parent)
            hasMetadata = hasMetadata || Self.isMetadata(box.type)
            switch box.type {
            case "mdia", "minf", "stbl": if parents.count < 4 { parents.append(ISOBoxes(box.body)) }
            case "hdlr" where handler == nil: handler = bytes.code(at: box.body.lowerBound + 8)
            case "mdhd":
                let isLong = bytes.byte(at: box.body.lowerBound) == 1
                scale = bytes.bigEndian32(at: box.body.lowerBound + (isLong ? 20 : 12)) ?? 0
            case "stts": readTimes(box.body, of: bytes)
            default: break
            }
        }
    }

    /// Reads the rows of the table of times: a number of frames, and the time that each is shown.
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
}
