import Base
import CFFmpeg
import LinuxIO
import TranscodeProtocol

/// The encoding of a video as H.264 High with 4:2:0, which phones play.
struct VideoEncoding {
    /// The size of the encoded frames, which is even and upright.
    var size: PixelSize
    var timeBase: AVRational
    /// The frame rate, in frames per second; 0/1 if it varies.
    var frameRate: AVRational
    /// The limit of the bit rate; `nil` if only the quality decides.
    var limit: RateLimit?
    /// Whether frames may be coded in another order, which saves bytes. Such an order requires frames at even times.
    var holdsBackFrames = true
    var preset = VideoPreset.veryfast
    var colors: VideoColors

    /// x264's constant rate factor. 23 is its default, at which most viewers see no loss.
    private static let quality = "23"

    func open() throws(TranscodeFailure) -> Encoder {
        try unsafe Encoder.open(
            "libx264", width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P,
            options: preset.options + [("crf", Self.quality), ("profile", "high")]
        ) { context in
            unsafe context.pointee.time_base = timeBase
            unsafe context.pointee.framerate = frameRate
            unsafe context.pointee.color_range = AVCOL_RANGE_MPEG
            unsafe context.pointee.colorspace = colors.matrix
            unsafe context.pointee.color_primaries = colors.primaries
            unsafe context.pointee.color_trc = colors.transfer
            // MP4 stores the parameter sets in its header.
            unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
            if !holdsBackFrames { unsafe context.pointee.max_b_frames = 0 }
            if let limit {
                unsafe context.pointee.rc_max_rate = limit.bitsPerSecond
                unsafe context.pointee.rc_buffer_size = limit.bufferBits
            }
        }
    }
}

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

/// The colors of a video's pixels, in the code points of ITU-T H.273.
struct VideoColors: Equatable {
    var matrix: AVColorSpace
    var primaries: AVColorPrimaries
    var transfer: AVColorTransferCharacteristic

    static let bt709 = VideoColors(matrix: AVCOL_SPC_BT709, primaries: AVCOL_PRI_BT709, transfer: AVCOL_TRC_BT709)
}

extension VideoColors {
    /// Reads the colors that a container names.
    init(_ stream: MediaStream) {
        self.init(
            matrix: unsafe stream.parameters.pointee.color_space,
            primaries: unsafe stream.parameters.pointee.color_primaries,
            transfer: unsafe stream.parameters.pointee.color_trc)
    }

    /// Reads the colors of a decoded frame. The container's colors take precedence over those of the codec. The matrix
    /// of an RGB frame is not used, because the video made from it needs another matrix.
    init(_ frame: borrowing Frame) {
        let matrix = unsafe frame.pointer.pointee.colorspace
        self.init(
            matrix: matrix == AVCOL_SPC_RGB ? AVCOL_SPC_UNSPECIFIED : matrix,
            primaries: unsafe frame.pointer.pointee.color_primaries,
            transfer: unsafe frame.pointer.pointee.color_trc)
    }
}

/// An estimate of the whole time of an encoding, computed from the part of the video that is done.
struct EncodingProgress {
    private let seconds: Double
    private let deadline: UInt64?
    private let start: UInt64
    private var frames = 0

    /// The number of frames before the first estimate. Encoders hold the first ones back, so their times mean little.
    private static let minFrames = 24
    private static let minPart = 0.1
    /// The number of frames between two checks of the clock.
    private static let interval = 8
    /// The factor for the frames that the encoder holds back. They are encoded after the measurement.
    private static let rest = 1.05

    /// Starts the measurement of an encoding.
    ///
    /// - Parameter milliseconds: The duration of the video; `nil` means no estimate.
    /// - Parameter deadline: The deadline, in microseconds of `MonotonicClock`; `nil` means no limit.
    /// - Parameter start: The start of the encoding, in microseconds of `MonotonicClock`.
    init(_ milliseconds: UInt64?, deadline: UInt64?, since start: UInt64 = MonotonicClock.microseconds) {
        self.start = start
        seconds = Double(milliseconds ?? 0) / 1_000
        self.deadline = deadline
    }

    /// Counts a frame of the source, and checks the deadline. The encoder calls this function after each frame.
    ///
    /// - Parameter done: The part of the video that is encoded, in seconds.
    /// - Returns: The estimated time of the whole encoding in microseconds, if it would be late; else `nil`.
    mutating func late(after done: Double) -> Double? {
        frames += 1
        guard let deadline, seconds > 0, frames >= Self.minFrames, frames.isMultiple(of: Self.interval) else {
            return nil
        }
        let part = done / seconds
        guard part >= Self.minPart, part < 1 else { return nil }
        let whole = Double(MonotonicClock.microseconds - start) / part * Self.rest
        return Double(start) + whole > Double(deadline) ? whole : nil
    }
}
