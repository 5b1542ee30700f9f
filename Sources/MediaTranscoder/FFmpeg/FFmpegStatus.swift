import CFFmpeg
import Glibc
import TranscodeProtocol

/// The conversion of FFmpeg's return codes to the failures of a job.
enum FFmpegStatus {
    /// Returns codes that are not negative.
    ///
    /// - Throws: `corrupt` for bad data and early ends. `tooManyPixels` if memory runs out. `unsupported` for features
    ///   that FFmpeg does not have. `internalFault` for other codes.
    @discardableResult
    static func check(_ code: Int32, _ what: StaticString) throws(TranscodeFailure) -> Int32 {
        guard code < 0 else { return code }
        throw failure(code, what)
    }

    /// Checks the code of a call that reads untrusted data. In such a call, an error of a decoder or demuxer is a fault
    /// of the data, unless memory or a feature is missing.
    ///
    /// - Throws: `corrupt`, `tooManyPixels` if memory runs out, or `unsupported`.
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

    /// `AVERROR_PATCHWELCOME`, whose tag is "PAWE".
    private static let patchWelcome = -Int32(bitPattern: 0x4557_4150)

    /// Returns the failure of an allocation.
    static func noMemory(_ what: StaticString) -> TranscodeFailure {
        TranscodeFailure(.tooManyPixels, "\(what): not enough memory")
    }
}

/// The names of codecs for messages.
enum CodecName {
    static func of(_ codec: AVCodecID) -> String {
        // FFmpeg returns a static string, which is "unknown_codec" for unknown codecs.
        unsafe String(cString: avcodec_get_name(codec))
    }
}
