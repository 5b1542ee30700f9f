import CFFmpeg
import Glibc
import TranscodeProtocol

/// Turns FFmpeg's return codes into the failures of a job.
enum FFmpegStatus {
    /// Passes codes that are not negative.
    ///
    /// - Throws: `corrupt` for bad data and early ends, `tooManyPixels` when memory ran out, `unsupported` for features
    ///   that FFmpeg does not have, `internalFault` for the rest.
    @discardableResult
    static func check(_ code: Int32, _ what: StaticString) throws(TranscodeFailure) -> Int32 {
        guard code < 0 else { return code }
        throw failure(code, what)
    }

    /// Passes codes that are not negative, from calls that read what a stranger sent: whatever a decoder or demuxer
    /// complains of there, unless it is memory or a missing feature, is the data's fault.
    ///
    /// - Throws: `corrupt`, `tooManyPixels` when memory ran out, `unsupported`.
    static func checkReading(_ code: Int32, _ what: StaticString) throws(TranscodeFailure) {
        guard code < 0 else { return }
        let failure = failure(code, what)
        throw failure.code == .internalFault ? TranscodeFailure(.corrupt, failure.detail) : failure
    }

    private static func failure(_ code: Int32, _ what: StaticString) -> TranscodeFailure {
        switch code {
        case agd_averror_invalid_data, agd_averror_eof:
            TranscodeFailure(.corrupt, "\(what): the data is damaged")
        case agd_averror(ENOMEM):
            TranscodeFailure(.tooManyPixels, "\(what): not enough memory")
        case agd_averror(ENOSYS), patchWelcome:
            TranscodeFailure(.unsupported, "\(what): the decoder does not support a feature")
        default:
            TranscodeFailure(.internalFault, "\(what): FFmpeg error \(code)")
        }
    }

    /// AVERROR_PATCHWELCOME: "PAWE" as a tag.
    private static let patchWelcome = -Int32(bitPattern: 0x4557_4150)

    /// The failure for an allocation that gave nothing.
    static func noMemory(_ what: StaticString) -> TranscodeFailure {
        TranscodeFailure(.tooManyPixels, "\(what): not enough memory")
    }
}

/// A codec's name for a person.
enum CodecName {
    static func of(_ codec: AVCodecID) -> String {
        // A static string of FFmpeg's; "unknown_codec" for strangers.
        unsafe String(cString: avcodec_get_name(codec))
    }
}
