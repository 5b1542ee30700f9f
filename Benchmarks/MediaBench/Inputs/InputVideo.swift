import TranscodeProtocol

/// A file that renditions of videos are made of.
enum InputVideo: String, CaseIterable, Sendable {
    /// The fixture three times in a row with a sensor's noise, at a phone's bit rate and with a key frame each second.
    case clip = "clip.mp4"
    /// The fixture: 4 s of 1080p.
    case everyday = "everyday.mp4"
    /// 3 s of the fixture.
    case animation = "video.gif"

    /// For people.
    var words: String {
        switch self {
        case .clip: "1080p MP4 of 10 s"
        case .everyday: "everyday 1080p MP4 of 4 s"
        case .animation: "640×360 GIF of 60 frames"
        }
    }

    var format: SourceFormat { self == .animation ? .gif : .mp4 }
}
