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
