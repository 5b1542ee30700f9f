import Base
import CFFmpeg
import LinuxIO
import MediaHeaders
import TranscodeProtocol

/// A decoder of the frames of an animation, in their order. Each frame is composed: it holds the whole screen.
protocol AnimationFrames: AnyObject {
    /// Returns the next frame, or `nil` after the last one. The frame may share its pixels with the decoder, so the
    /// caller releases it before the next call.
    func next() throws(TranscodeFailure) -> Frame?
}

extension ImageFacts {
    /// Opens the frames of an animation, one for each element of `delays`. The source has to outlive the frames.
    func frames(of source: borrowing MappedInput) throws(TranscodeFailure) -> any AnimationFrames {
        switch format {
        case .webp: try WebPFrames(source, facts: self)
        case .heic, .avif: try HEIFFrames(source, facts: self)
        default: try CodedFrames(source, facts: self)
        }
    }

    /// Decodes one frame of an animation. The first frame has the number 0.
    ///
    /// - Throws: `corrupt` if the frame is missing.
    func frame(_ number: Int, of source: borrowing MappedInput) throws(TranscodeFailure) -> Frame {
        let frames = try frames(of: source)
        for _ in 0..<number { _ = try frames.next() }
        guard let frame = try frames.next() else { throw .corrupt("a frame is missing") }
        return frame
    }
}

/// The frames of a GIF or APNG, which FFmpeg's decoders compose. FFmpeg 5.1 does not read the cICP chunk of an APNG.
final class CodedFrames: AnimationFrames {
    private let demuxer: Demuxer
    private let decoder: Decoder
    private let packet: Packet
    /// The correction for frames of a GIF that FFmpeg's decoder would show wrongly; `nil` if none is needed.
    private var correction: GIFFrameCorrection?
    /// The size to which decoded frames are cut, if the decoder's screen is larger; `nil` if the screen is not larger.
    private let cutSize: PixelSize?
    /// The colors that the cICP chunk names for all frames; `nil` if there is no such chunk.
    private let color: CodedColor?
    /// The number of frames that `next()` has still to return.
    private var rest: Int
    private var isAtEnd = false

    init(_ source: borrowing MappedInput, facts: ImageFacts) throws(TranscodeFailure) {
        // A truncated GIF is read up to the end of its last complete frame.
        let end = facts.format == .gif ? facts.kept?.ranges.last?.upperBound : nil
        let demuxer = try Demuxer.open(source, as: facts.format, upTo: end)
        guard let stream = demuxer.stream(0) else { throw .corrupt("no image in the animation") }
        decoder = try Decoder.open(stream, maxPixels: Self.maxPixels(facts.decodedScreen ?? facts.size))
        packet = try Packet.make()
        let screen = facts.decodedScreen
        cutSize = screen == nil ? nil : facts.size
        if facts.isPartlyUncovered || screen != nil {
            correction = GIFFrameCorrection(removesBackground: facts.isPartlyUncovered, screen: screen)
        }
        color = facts.png?.color
        rest = facts.delays.count
        self.demuxer = demuxer
    }

    /// Returns the number of pixels of the screen as FFmpeg counts them, with rows rounded up to its alignment.
    private static func maxPixels(_ size: PixelSize) -> UInt64 {
        let alignment = 128
        return UInt64((size.width + alignment - 1) / alignment * alignment * size.height)
    }

    func next() throws(TranscodeFailure) -> Frame? {
        guard rest > 0 else { return nil }
        let frame = try Frame.make()
        while true {
            if try decoder.receive(into: frame) {
                guard !frame.isDamaged else { throw .corrupt("a damaged frame in the animation") }
                rest -= 1
                if let color { return try AlphaMerge.named(color, frame) }
                guard let cutSize else { return frame }
                return try frame.part(columns: 0..<cutSize.width, rows: 0..<cutSize.height)
            }
            guard !isAtEnd else { return nil }
            if try demuxer.read(into: packet) {
                if let rewritten = packet.withBytes({ correction?.frame($0) }) { try packet.replace(with: rewritten) }
                _ = try decoder.send(packet)
            } else {
                isAtEnd = true
                try decoder.finish()
            }
        }
    }
}

/// A check, after each frame, whether an encoding would end after its deadline. The check fails early enough that a
/// still image can be made before the deadline.
///
/// The estimate of `TranscodePlan` does not include the number of attempts that a GIF needs to fit its cap.
struct AnimationPace {
    /// The number of frames that are encoded before the pace is checked.
    private static let minFrames = 2
    /// The time that is reserved for a still image, in frames. A still image takes less time than these frames.
    private static let reservedFrames = 4

    /// The deadline, in microseconds of `MonotonicClock`; `nil` means no limit.
    private let deadline: UInt64?
    private var start: UInt64 = 0
    private var (frames, done) = (0, 0)
    /// Whether an encoding was abandoned because of the deadline.
    private(set) var wasLate = false

    init(until deadline: UInt64?) { self.deadline = deadline }

    /// Starts the measurement of an encoding.
    ///
    /// - Parameter frames: The number of frames to work on. A frame counts once for each time that it is decoded.
    mutating func begin(frames: Int, at now: UInt64 = MonotonicClock.microseconds) {
        (self.frames, done, start) = (frames, 0, now)
    }

    /// Counts a finished frame. The encoder calls this function after each frame.
    ///
    /// - Throws: `tooLarge` if the encoding would end after the deadline.
    mutating func finishFrame(at now: UInt64 = MonotonicClock.microseconds) throws(TranscodeFailure) {
        done += 1
        guard let deadline, done >= Self.minFrames, done < frames else { return }
        let perFrame = Double(now - start) / Double(done)
        guard Double(now) + perFrame * Double(frames - done + Self.reservedFrames) > Double(deadline) else { return }
        wasLate = true
        throw .tooLarge("the budget leaves no time for the animation")
    }
}

/// A converter of opaque animation frames to the size and pixel format of the video encoder.
struct AnimationScaling: ~Copyable {
    private let size: PixelSize
    private var direct: VideoScaling

    init(size: PixelSize) {
        self.size = size
        direct = VideoScaling(size: size, orientation: .upright)
    }

    /// Returns the scaled frame, or `nil` if the frame has transparent pixels.
    mutating func scale(_ frame: borrowing Frame) throws(TranscodeFailure) -> Frame? {
        // Frames of GIF and WebP have four bytes per pixel and need one step, a third of the time of the steps below.
        if let isOpaque = frame.packedAlphaIsFull, !frame.hasColorProfile {
            return isOpaque ? try direct.scale(frame) : nil
        }
        let image = try ColorConversion.sRGB(ImageScaling.scale(frame, to: size))
        guard image.frame.format != AV_PIX_FMT_GBRAP else { return nil }
        let target = try Frame.allocate(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P)
        let converter = try Scaler.make(
            from: image.frame.shape,
            to: .init(width: size.width, height: size.height, format: AV_PIX_FMT_YUV420P, isFullRange: false),
            quality: .still)
        try converter.scale(image.frame, into: target)
        return target
    }
}

extension Frame {
    /// Whether every pixel of a packed format with alpha is opaque; `nil` for other formats.
    fileprivate var packedAlphaIsFull: Bool? {
        guard format == AV_PIX_FMT_RGBA || format == AV_PIX_FMT_BGRA else { return nil }
        let (width, height, stride) = (width, height, stride(0))
        return withPlane(0) { bytes in
            for row in 0..<height {
                var alpha: UInt8 = 255
                for column in 0..<width { alpha &= bytes[row * stride + column * 4 + 3] }
                if alpha != 255 { return false }
            }
            return true
        }
    }
}
