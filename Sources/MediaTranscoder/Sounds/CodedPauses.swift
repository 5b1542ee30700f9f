import CFFmpeg
import TranscodeProtocol

/// The frames of AMR that stand for a pause (3GPP TS 26.093 and 26.193). They describe its noise, or hold nothing.
///
/// FFmpeg 5.1 does not make the noise, and reports these frames as an error. Silence takes their place, so that what follows
/// keeps its time.
struct CodedPauses {
    private let areCoded: Bool

    init(of stream: MediaStream) {
        areCoded = stream.codec == AV_CODEC_ID_AMR_NB || stream.codec == AV_CODEC_ID_AMR_WB
    }

    /// Whether the decoder may have failed because the frame stands for a pause.
    func explain(_ failure: TranscodeFailure) -> Bool {
        areCoded && [.corrupt, .unsupported].contains(failure.code)
    }

    /// Returns the silence of one frame, which lasts 20 ms.
    func silence(in format: SoundFormat) throws(TranscodeFailure) -> Frame {
        let frame = try Frame.make()
        frame.become(format)
        let count = format.sampleRate / 50
        unsafe frame.pointer.pointee.nb_samples = count
        try FFmpegStatus.check(unsafe av_frame_get_buffer(frame.pointer, 0), "silence")
        unsafe av_samples_set_silence(
            frame.pointer.pointee.extended_data, 0, count, format.channels, SoundFormat.samples)
        return frame
    }
}
