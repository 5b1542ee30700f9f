import Base
import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// The frames of an AVIF sequence. Their alpha is a separate track.
final class HEIFFrames: AnimationFrames {
    private let colors: HEIFTrackFrames
    private let alpha: HEIFTrackFrames?
    private let header: HEIFHeader
    private let profile: [UInt8]
    private var rest: Int

    init(_ source: borrowing MappedInput, facts: ImageFacts) throws(TranscodeFailure) {
        guard let header = facts.heif, let sequence = header.sequence else {
            throw .internalFault("the HEIF header has no sequence")
        }
        colors = try HEIFTrackFrames(source, track: sequence.colors)
        alpha =
            if let track = sequence.alpha { try HEIFTrackFrames(source, track: track) } else { nil }
        self.header = header
        profile = source.withBytes { bytes in header.image.profile.map { bytes.copy($0) } ?? [] }
        rest = facts.delays.count
    }

    func next() throws(TranscodeFailure) -> Frame? {
        guard rest > 0, let frame = try colors.next() else { return nil }
        rest -= 1
        try HEIFDecoding.nameColors(of: frame, header.image, profile: profile)
        guard let alpha else { return frame }
        let joined = try AlphaMerge.planes(of: frame)
        guard let mask = try alpha.next() else { throw .corrupt("AVIF: a frame without its alpha") }
        try AlphaMerge.lay(mask, over: joined, isPremultiplied: header.isPremultiplied)
        return joined
    }
}

/// The decoded frames of one track.
private final class HEIFTrackFrames {
    private let demuxer: Demuxer
    private let decoder: Decoder
    private let packet: Packet
    private let track: HEIFTrack
    private var isAtEnd = false

    /// Opens one track of the sequence.
    ///
    /// - Throws: `corrupt` also if the track is not the one whose header was checked.
    init(_ source: borrowing MappedInput, track: HEIFTrack) throws(TranscodeFailure) {
        let demuxer = try Demuxer.open(source, as: .avif)
        guard let stream = demuxer.stream(track.number), stream.codec == AV_CODEC_ID_AV1,
            (stream.width, stream.height) == (track.width, track.height)
        else { throw .corrupt("AVIF: a track is missing") }
        demuxer.readOnly([track.number])
        decoder = try Decoder.open(stream, maxPixels: UInt64(track.pixels))
        packet = try Packet.make()
        self.demuxer = demuxer
        self.track = track
    }

    func next() throws(TranscodeFailure) -> Frame? {
        let frame = try Frame.make()
        while true {
            if try decoder.receive(into: frame) {
                guard !frame.isDamaged else { throw .corrupt("AVIF: a damaged frame") }
                guard track.describes(frame) else { throw .corrupt("AVIF: a frame does not have the size in the file") }
                return frame
            }
            guard !isAtEnd else { return nil }
            if try demuxer.read(into: packet) {
                if Int(packet.streamIndex) == track.number { _ = try decoder.send(packet) }
            } else {
                isAtEnd = true
                try decoder.finish()
            }
        }
    }
}

extension HEIFTrack {
    /// Returns whether a decoded frame has the stated size, and at most the bytes for each pixel of its configuration.
    fileprivate func describes(_ frame: borrowing Frame) -> Bool {
        let format = frame.pixelFormat
        let bytes = (0..<4).reduce(0) { bytes, plane in
            let size = format.planeSize(plane, width: 2, height: 2)
            return bytes + size.rowBytes * size.rows
        }
        return (frame.width, frame.height) == (width, height) && bytes <= self.bytes(of: 4)
    }
}
