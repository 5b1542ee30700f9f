import CFFmpeg
import TranscodeProtocol

extension StreamReport {
    /// Creates a report from the streams that a container describes.
    ///
    /// - Parameter frames: The number of frames; `nil` if they were not counted.
    /// - Parameter milliseconds: The duration of the file; `nil` if it is unknown.
    init(video: MediaStream?, audio: MediaStream?, frames: Int?, milliseconds: UInt64?, byteCount: Int) {
        let milliseconds = milliseconds.flatMap { $0 > 0 ? $0 : nil }
        self.init(
            videoCodec: video.map { CodecName.of($0.codec) },
            frameRate: video.flatMap { $0.frameThousandths ?? Self.mean(frames, in: milliseconds) },
            audioCodec: audio.map { CodecName.of($0.codec) },
            sampleRate: audio.flatMap { UInt32(exactly: $0.sampleRate) }.flatMap { $0 > 0 ? $0 : nil },
            channels: audio.flatMap { UInt32(exactly: $0.channels) }.flatMap { $0 > 0 ? $0 : nil },
            bitRate: milliseconds.map { UInt64(byteCount) * 8_000 / $0 })
    }

    private static func mean(_ frames: Int?, in milliseconds: UInt64?) -> UInt32? {
        guard let frames, frames > 0, let milliseconds else { return nil }
        return UInt32(exactly: (Double(frames) * 1_000_000 / Double(milliseconds)).rounded())
    }
}

extension MediaStream {
    /// The mean frame rate that the container states or FFmpeg measured, in thousandths; `nil` if it is unknown or
    /// outside 0.001…1,000.
    var frameThousandths: UInt32? {
        guard averageFrameRate.num > 0, averageFrameRate.den > 0 else { return nil }
        let rate = Double(averageFrameRate.num) / Double(averageFrameRate.den)
        return (0.001...1_000).contains(rate) ? UInt32((rate * 1_000).rounded()) : nil
    }
}
