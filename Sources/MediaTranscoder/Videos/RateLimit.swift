import TranscodeProtocol

/// The bit rate that keeps a video within its bytes, as a leaky bucket.
struct RateLimit: Equatable {
    /// Bits that flow in each second.
    var bitsPerSecond: Int64
    /// Bits that the bucket holds, and that the first pictures may take at once.
    var bufferBits: Int32

    /// Below this, no moving picture is worth looking at.
    private static let leastBitRate: Int64 = 32_000
    static let least = RateLimit(bitsPerSecond: leastBitRate, bufferBits: Int32(leastBitRate))

    /// - Parameters:
    ///   - bytes: that the whole file may have; a twelfth is kept for its index.
    ///   - milliseconds: of the video; without it no rate can be told, and the answer is `nil`.
    ///   - audio: bits a second of the copied sound.
    ///   - share: of the bytes, 0…1: less for a second try.
    /// - Throws: `tooLarge` when nothing worth looking at fits.
    static func fitting(
        bytes: UInt64, milliseconds: UInt64?, audio: Int64, share: Double
    ) throws(TranscodeFailure) -> RateLimit? {
        guard let milliseconds, milliseconds > 0 else { return nil }
        let seconds = Double(milliseconds) / 1_000
        let buffer = min(1, seconds / 4)
        let bits = Double(bytes) * 8 * 11 / 12 - Double(audio) * seconds
        let rate = bits * share / (seconds + buffer)
        guard rate >= Double(leastBitRate) else {
            throw TranscodeFailure(.tooLarge, "\(milliseconds) ms of video do not fit into \(bytes) bytes")
        }
        // A gigabit a second is no limit any more, and fits the encoder's fields.
        let limited = min(rate, 1e9)
        return RateLimit(bitsPerSecond: Int64(limited), bufferBits: Int32(limited * buffer))
    }
}
