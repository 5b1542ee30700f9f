import CFFmpeg
import MediaTypes

extension StreamFacts {
    /// Creates the facts from the streams that a container describes.
    ///
    /// - Parameter frames: The number of frames; `nil` if they were not counted.
    /// - Parameter milliseconds: The duration of the file; `nil` if it is unknown.
    init(video: MediaStream?, audio: MediaStream?, frames: Int?, milliseconds: UInt64?, byteCount: Int) {
        let milliseconds = milliseconds.flatMap { $0 > 0 ? $0 : nil }
        self.init(
            videoCodec: video.map { CodecName.of($0.codec) },
            frameRate: video.flatMap { $0.meanFrameRate ?? Self.mean(frames, in: milliseconds) },
            audioCodec: audio.map { CodecName.of($0.codec) },
            sampleRate: audio.flatMap { $0.sampleRate > 0 ? Int($0.sampleRate) : nil },
            channels: audio.flatMap { $0.channels > 0 ? Int($0.channels) : nil },
            bitRate: milliseconds.map { Int(clamping: UInt64(byteCount) * 8_000 / $0) })
    }

    private static func mean(_ frames: Int?, in milliseconds: UInt64?) -> Double? {
        guard let frames, frames > 0, let milliseconds else { return nil }
        return Double(frames) * 1_000 / Double(milliseconds)
    }
}

extension MediaStream {
    /// The mean number of frames per second that the container states or FFmpeg measured; `nil` if it is unknown or
    /// outside 0.001…1,000.
    var meanFrameRate: Double? {
        guard averageFrameRate.num > 0, averageFrameRate.den > 0 else { return nil }
        let rate = Double(averageFrameRate.num) / Double(averageFrameRate.den)
        return (0.001...1_000).contains(rate) ? rate : nil
    }
}
