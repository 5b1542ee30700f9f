import Base
import CFFmpeg
import TranscodeProtocol

/// The audio stream that is used for a video: the first that can be copied, else the first that can be decoded.
struct VideoSound {
    /// The index of the chosen audio stream; `nil` if none is used.
    var stream: Int?
    /// The index of the audio stream in the result: the chosen or the first omitted one; `nil` if there is no audio.
    var named: Int?
    /// The reason why the video has no sound although its source has; `nil` if nothing is omitted.
    var omission: SoundOmission?

    /// The largest number of audio streams that are tried. The container is opened once for each of them.
    private static let maxCandidates = 4

    /// Decodes the beginning of each audio stream until one is readable, because headers may state a wrong codec.
    static func choose(
        _ demuxer: borrowing Demuxer, of source: borrowing MappedInput, as format: MediaFormat
    ) throws(TranscodeFailure) -> VideoSound {
        let sounds = demuxer.streams.filter(\.isAudio)
        guard let first = sounds.first else { return VideoSound() }
        let decoded = sounds.filter(\.hasSound)
        let candidates = decoded.filter(SoundTrack.isCopied) + decoded.filter { !SoundTrack.isCopied($0) }
        for index in candidates.prefix(maxCandidates).map(\.index)
        where try isReadable(index, of: source, as: format) {
            return VideoSound(stream: index, named: index)
        }
        let omission: SoundOmission = decoded.isEmpty ? .unsupported : .unreadable
        return VideoSound(named: (decoded.first ?? first).index, omission: omission)
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
