import Base

/// An input file for renditions of videos.
enum InputVideo: String, CaseIterable, Sendable {
    /// The fixture three times in a row, with the noise of a sensor, the bit rate of a phone and one key frame per
    /// second.
    case clip = "clip.mp4"
    /// The fixture, which has 4 s of 1080p.
    case everyday = "everyday.mp4"
    /// An animation of 3 s from the fixture.
    case animation = "video.gif"

    /// The description of the file for people.
    var words: String {
        switch self {
        case .clip: "1080p MP4 of 10 s"
        case .everyday: "everyday 1080p MP4 of 4 s"
        case .animation: "640×360 GIF of 60 frames"
        }
    }

    var format: MediaFormat { self == .animation ? .gif : .mp4 }
}
