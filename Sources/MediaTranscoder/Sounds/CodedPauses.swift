import CFFmpeg
import TranscodeProtocol

/// The frames of AMR that stand for a pause (3GPP TS 26.093 and 26.193). These frames describe the noise of the pause,
/// or hold nothing.
///
/// FFmpeg 5.1 does not generate the noise, and reports these frames as an error. The frames are replaced by silence, so
/// that later frames keep their time.
struct CodedPauses {
    private let areCoded: Bool

    init(of stream: MediaStream) {
        areCoded = stream.codec == AV_CODEC_ID_AMR_NB || stream.codec == AV_CODEC_ID_AMR_WB
    }

    /// Returns whether a failure of the decoder may mean that the frame stands for a pause.
    func explain(_ failure: TranscodeFailure) -> Bool {
        areCoded && [.corrupt, .unsupported].contains(failure.code)
    }

    /// Returns the number of samples in one frame, which lasts 20 ms.
    func sampleCount(in format: SoundFormat) -> Int32 { format.sampleRate / 50 }
}
