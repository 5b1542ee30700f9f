/// The tracks of an image sequence (ISO 23008-12, 7): the frames, and how opaque they are.
package struct HEIFSequence: Sendable, Equatable {
    /// The track with the frames.
    package private(set) var colours: HEIFTrack
    /// The track with their alpha, which has as many frames. Its sides may differ.
    package private(set) var alpha: HEIFTrack?
    /// Whether a box of the tracks is for metadata.
    package private(set) var hasMetadata = false

    /// - Parameter movie: the body of the movie box.
    /// - Returns: `nil` without a track of pictures of AV1, and for boxes that contradict themselves.
    init?(_ movie: Range<Int>, of bytes: Span<UInt8>) {
        var pictures: HEIFTrack?
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
            case "pict" where pictures == nil && track.isCoded: pictures = track
            case "auxv" where alpha == nil && track.isCoded && track.isAlpha: alpha = track
            default: break
            }
            number += 1
        }
        guard let pictures, pictures.times.count > 0 else { return nil }
        colours = pictures
        self.alpha = alpha?.times.count == pictures.times.count ? alpha : nil
    }

    /// The time that each frame is shown.
    package var times: AnimationTimes { colours.times }

    /// The number of times that the sequence is played; `nil` plays it for ever.
    package var plays: Int? { colours.plays }

    /// Bytes of a decoded frame and its alpha.
    package var frameBytes: Int { colours.frameBytes + (alpha?.frameBytes ?? 0) }
}
