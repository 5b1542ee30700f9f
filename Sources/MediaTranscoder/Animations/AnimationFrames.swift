import CFFmpeg
import MediaHeaders
import MediaTypes
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
        decoder = try Decoder.open(stream, mostPixels: Self.mostPixels(facts.decodedScreen ?? facts.size))
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
    private static func mostPixels(_ size: PixelSize) -> UInt64 {
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
