/// The facts about the streams of a video or audio file. A value that was not measured is `nil`.
package struct StreamFacts: Sendable, Equatable {
    /// FFmpeg's name of the video codec, such as `h264`; `nil` if the file is a sound.
    package var videoCodec: String?
    /// The number of frames per second, rounded to the thousandth.
    package var frameRate: Double?
    /// FFmpeg's name of the audio codec, such as `aac`; `nil` if the file has no sound.
    package var audioCodec: String?
    /// The number of samples per second.
    package var sampleRate: Int?
    package var channels: Int?
    /// The bits per second of the whole file.
    package var bitRate: Int?

    package init(
        videoCodec: String? = nil, frameRate: Double? = nil, audioCodec: String? = nil, sampleRate: Int? = nil,
        channels: Int? = nil, bitRate: Int? = nil
    ) {
        self.videoCodec = videoCodec
        self.frameRate = frameRate
        self.audioCodec = audioCodec
        self.sampleRate = sampleRate
        self.channels = channels
        self.bitRate = bitRate
    }
}
