import CFFmpeg
import TranscodeProtocol

/// The sound that a film is shown with: the first one that can be copied, or else the first one that can be decoded.
struct FilmSound {
    /// `nil`: none.
    var stream: Int?
    /// The sound that the result names: the chosen one, or the first one of those that are left out.
    var named: Int?
    /// Why the film is shown without a sound, though it has one.
    var omission: SoundOmission?

    /// Sounds that are tried: the container is opened for each of them.
    private static let mostCandidates = 4

    /// Decodes the beginning of each sound until one can be read: headers may lie about the codec.
    static func choose(
        _ demuxer: borrowing Demuxer, of source: borrowing MappedInput, as format: SourceFormat
    ) throws(TranscodeFailure) -> FilmSound {
        let sounds = (0..<demuxer.streamCount).filter { demuxer.stream($0)?.isAudio == true }
        guard let first = sounds.first else { return FilmSound() }
        let decoded = sounds.filter { demuxer.stream($0)?.hasSound == true }
        let copied = decoded.filter { demuxer.stream($0).map(SoundTrack.isCopied) == true }
        let candidates = copied + decoded.filter { !copied.contains($0) }
        for index in candidates.prefix(mostCandidates) where try isReadable(index, of: source, as: format) {
            return FilmSound(stream: index, named: index)
        }
        return FilmSound(named: decoded.first ?? first, omission: decoded.isEmpty ? .unsupported : .unreadable)
    }

    private static func isReadable(
        _ index: Int, of source: borrowing MappedInput, as format: SourceFormat
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
