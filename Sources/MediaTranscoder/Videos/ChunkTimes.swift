/// The times at which the decoded frames of an AVI begin.
///
/// The chunks of an AVI come at even times, in the sequence of decoding. An empty chunk extends the time of the
/// previous frame. A decoder that holds frames back returns a frame when it gets the chunk at whose time the frame
/// begins. Each frame is therefore late by the delay of the first one.
struct ChunkTimes {
    private var first: Int64?
    /// The time of the last chunk; `nil` after the decoder has returned a frame.
    private var last: Int64?
    private var count = 0
    /// The time from the first chunk to the chunk with which the decoder returns the first frame; `nil` before that
    /// frame.
    private var delay: Int64?

    /// The largest number of frames that an H.264 decoder holds back (ITU-T H.264, A.3.1).
    private static let mostDelayed = 16

    /// Adds the time of a chunk that is not empty, in the time base of the stream. The times increase.
    mutating func add(_ time: Int64) {
        first = first ?? time
        last = time
        count += 1
    }

    /// Returns the time at which the next decoded frame begins.
    ///
    /// - Returns: `nil` for a frame that directly follows the previous one. The decoder returns it without another
    ///   chunk.
    mutating func next() -> Int64? {
        guard let time = last.take(), let first else { return nil }
        // If more chunks came than a decoder can hold back, the first chunks could not be decoded.
        let delay = delay ?? (count <= Self.mostDelayed + 1 ? time - first : 0)
        self.delay = delay
        return time - delay
    }
}
