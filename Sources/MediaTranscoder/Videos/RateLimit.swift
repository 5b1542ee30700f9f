import TranscodeProtocol

/// The bit rate that keeps a video within its size limit, as a leaky bucket.
struct RateLimit: Equatable {
    /// The rate of the bucket, in bits per second.
    var bitsPerSecond: Int64
    /// The size of the bucket, in bits. The first frames may use all of it at once.
    var bufferBits: Int32

    /// The lowest bit rate, in bits per second. At lower rates, a video is not worth watching.
    private static let leastBitRate: Int64 = 32_000
    static let least = RateLimit(bitsPerSecond: leastBitRate, bufferBits: Int32(leastBitRate))

    /// Returns the limit for a video.
    ///
    /// - Parameter bytes: The largest size of the file. A twelfth is reserved for its index.
    /// - Parameter milliseconds: The duration of the video. If `nil`, the duration is unknown, and the result is `nil`.
    /// - Parameter audio: The bit rate of the copied sound, in bits per second.
    /// - Parameter share: The part of the bytes to use, 0…1. A second attempt uses less.
    /// - Throws: `tooLarge` if the rate would be below the lowest one.
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
        // A rate of 1 Gbit/s is no real limit, and fits the encoder's fields.
        let limited = min(rate, 1e9)
        return RateLimit(bitsPerSecond: Int64(limited), bufferBits: Int32(limited * buffer))
    }
}
