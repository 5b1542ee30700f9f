import CFFmpeg
import MediaTypes
import TranscodeProtocol

/// The audio stream that is used for a video. The choice is the first stream that can be copied. If no stream can be
/// copied, the choice is the first stream that can be decoded.
struct VideoSound {
    /// The index of the chosen audio stream; `nil` if none is used.
    var stream: Int?
    /// The index of the audio stream that the result describes. This stream is the chosen stream, or the first omitted
    /// stream; `nil` if the video has no audio stream.
    var named: Int?
    /// The reason why the video has no sound although its source has; `nil` if nothing is omitted.
    var omission: SoundOmission?

    /// The largest number of audio streams that are tried. The container is opened once for each of them.
    private static let mostCandidates = 4

    /// Decodes the beginning of each audio stream until one is readable, because headers may state a wrong codec.
    static func choose(
        _ demuxer: borrowing Demuxer, of source: borrowing MappedInput, as format: MediaFormat
    ) throws(TranscodeFailure) -> VideoSound {
        let sounds = (0..<demuxer.streamCount).filter { demuxer.stream($0)?.isAudio == true }
        guard let first = sounds.first else { return VideoSound() }
        let decoded = sounds.filter { demuxer.stream($0)?.hasSound == true }
        let copied = decoded.filter { demuxer.stream($0).map(SoundTrack.isCopied) == true }
        let candidates = copied + decoded.filter { !copied.contains($0) }
        for index in candidates.prefix(mostCandidates) where try isReadable(index, of: source, as: format) {
            return VideoSound(stream: index, named: index)
        }
        return VideoSound(named: decoded.first ?? first, omission: decoded.isEmpty ? .unsupported : .unreadable)
    }

    private static func isReadable(
        _ index: Int, of source: borrowing MappedInput, as format: MediaFormat
    ) throws(TranscodeFailure) -> Bool {
        do throws(TranscodeFailure) {
            try SoundTrack.checkBeginning(Demuxer.open(source, as: format), stream: index)
            return true
        } catch {
            guard [.corrupt, .unsupported].contains(error.code) else { throw error }
            return false
        }
    }
}
