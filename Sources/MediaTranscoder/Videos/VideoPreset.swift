/// How much time x264 takes for a better picture of the same bytes.
enum VideoPreset: String, CaseIterable {
    case veryfast
    case ultrafast

    /// Microseconds for a pixel, on the machine that `TranscodePlan.cost` is of: 720p of H.264's test sequences and screens
    /// took 0.0061 to 0.0090, and 0.0027 to 0.0035.
    var pixelCost: Double {
        switch self {
        case .veryfast: 0.0075
        case .ultrafast: 0.0031
        }
    }

    /// By x264's names. The transform of 8 by 8 is part of H.264 High, which is asked for.
    var options: [(String, String)] {
        self == .ultrafast ? [("preset", rawValue), ("x264-params", "8x8dct=1")] : [("preset", rawValue)]
    }

    /// The next faster preset; `nil` for the fastest.
    var faster: VideoPreset? { self == .veryfast ? .ultrafast : nil }
}
