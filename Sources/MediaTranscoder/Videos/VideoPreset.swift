/// The time that x264 spends on quality at a given size.
enum VideoPreset: String, CaseIterable {
    case veryfast
    case ultrafast

    /// The encoding time of a pixel, in microseconds of the machine of `TranscodePlan.cost`. In 720p, H.264's test
    /// sequences and screens took 0.0061 to 0.0090 with `veryfast`, and 0.0027 to 0.0035 with `ultrafast`.
    var pixelCost: Double {
        switch self {
        case .veryfast: 0.0075
        case .ultrafast: 0.0031
        }
    }

    /// The options by x264's names. The 8 × 8 transform is part of H.264 High, which is the profile of the encoding.
    var options: [(String, String)] {
        self == .ultrafast ? [("preset", rawValue), ("x264-params", "8x8dct=1")] : [("preset", rawValue)]
    }

    /// The next faster preset; `nil` for the fastest.
    var faster: VideoPreset? { self == .veryfast ? .ultrafast : nil }
}
