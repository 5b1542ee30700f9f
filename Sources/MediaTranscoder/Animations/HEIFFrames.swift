import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The frames of an AVIF sequence, whose alpha is a track of its own.
final class HEIFFrames: AnimationFrames {
    private let colours: HEIFTrackFrames
    private let alpha: HEIFTrackFrames?
    private let header: HEIFHeader
    private let profile: [UInt8]
    private var rest: Int

    init(_ source: borrowing MappedInput, facts: ImageFacts, limits: DecodeLimits) throws(TranscodeFailure) {
        guard let header = facts.heif, let sequence = header.sequence else {
            throw TranscodeFailure(.internalFault, "the sequence is gone")
        }
        colours = try HEIFTrackFrames(source, track: sequence.colours, limits: limits)
        alpha =
            if let track = sequence.alpha { try HEIFTrackFrames(source, track: track, limits: limits) } else { nil }
        self.header = header
        profile = source.withBytes { bytes in header.image.profile.map { bytes.copy($0) } ?? [] }
        rest = facts.delays.count
    }

    func next() throws(TranscodeFailure) -> Frame? {
        guard rest > 0, let frame = try colours.next() else { return nil }
        rest -= 1
        try HEIFDecoding.nameColours(of: frame, header.image, profile: profile)
        guard let alpha else { return frame }
        let joined = try AlphaMerge.planes(of: frame)
        guard let mask = try alpha.next() else { throw TranscodeFailure(.corrupt, "AVIF: a frame without its alpha") }
        try AlphaMerge.lay(mask, over: joined, isPremultiplied: header.isPremultiplied)
        return joined
    }
}

/// The decoded frames of one track.
private final class HEIFTrackFrames {
    private let demuxer: Demuxer
    private let decoder: Decoder
    private let packet: Packet
    private let track: Int
    private var isAtEnd = false

    init(_ source: borrowing MappedInput, track: Int, limits: DecodeLimits) throws(TranscodeFailure) {
        let demuxer = try Demuxer.open(source, as: .heif)
        guard let stream = demuxer.stream(track) else { throw TranscodeFailure(.corrupt, "AVIF: a track is missing") }
        demuxer.readOnly([track])
        decoder = try Decoder.open(stream, mostPixels: VideoFacts.mostPixels(limits))
        packet = try Packet.make()
        self.demuxer = demuxer
        self.track = track
    }

    func next() throws(TranscodeFailure) -> Frame? {
        let frame = try Frame.make()
        while true {
            if try decoder.receive(into: frame) {
                guard !frame.isDamaged else { throw TranscodeFailure(.corrupt, "AVIF: a damaged frame") }
                return frame
            }
            guard !isAtEnd else { return nil }
            if try demuxer.read(into: packet) {
                if Int(packet.streamIndex) == track { _ = try decoder.send(packet) }
            } else {
                isAtEnd = true
                try decoder.finish()
            }
        }
    }
}
