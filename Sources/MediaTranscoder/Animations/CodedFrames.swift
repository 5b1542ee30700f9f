import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The frames of a GIF or APNG, whose decoders compose them. FFmpeg 5.1 does not read the chunk cICP of an APNG.
final class CodedFrames: AnimationFrames {
    private let demuxer: Demuxer
    private let decoder: Decoder
    private let packet: Packet
    /// Rewrites the frames of a GIF that FFmpeg's decoder would show wrongly; `nil` for others.
    private var correction: GIFFrameCorrection?
    /// The size of a frame that is decoded with a larger screen; `nil` for others.
    private let cutSize: PixelSize?
    /// The colours that cICP names, for all frames.
    private let colour: CodedColour?
    /// Frames that are still to be given out.
    private var rest: Int
    private var isAtEnd = false

    init(_ source: borrowing MappedInput, facts: ImageFacts) throws(TranscodeFailure) {
        // The whole frames of a GIF that is cut.
        let end = facts.format == .gif ? facts.kept?.ranges.last?.upperBound : nil
        let demuxer = try Demuxer.open(source, as: facts.format, upTo: end)
        guard let stream = demuxer.stream(0) else { throw TranscodeFailure(.corrupt, "no image in the animation") }
        decoder = try Decoder.open(stream, mostPixels: Self.mostPixels(facts.decodedScreen ?? facts.size))
        packet = try Packet.make()
        let screen = facts.decodedScreen
        cutSize = screen == nil ? nil : facts.size
        if facts.isPartlyUncovered || screen != nil {
            correction = GIFFrameCorrection(
                removesBackground: facts.isPartlyUncovered, screen: screen.map { ($0.width, $0.height) })
        }
        colour = facts.png?.colour
        rest = facts.delays.count
        self.demuxer = demuxer
    }

    /// Pixels of the screen as FFmpeg counts them: with rows that are rounded up to the alignment of its buffers.
    private static func mostPixels(_ size: PixelSize) -> UInt64 {
        let alignment = 128
        return UInt64((size.width + alignment - 1) / alignment * alignment * size.height)
    }

    func next() throws(TranscodeFailure) -> Frame? {
        guard rest > 0 else { return nil }
        let frame = try Frame.make()
        while true {
            if try decoder.receive(into: frame) {
                guard !frame.isDamaged else { throw TranscodeFailure(.corrupt, "a damaged frame in the animation") }
                rest -= 1
                if let colour { return try AlphaMerge.named(colour, frame) }
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
