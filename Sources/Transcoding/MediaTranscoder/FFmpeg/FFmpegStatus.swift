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
        throw failure.code == .internalFault ? .corrupt(failure.detail) : failure
    }

    private static func failure(_ code: Int32, _ what: StaticString) -> TranscodeFailure {
        switch code {
        case agd_averror_invalid_data, agd_averror_eof: .corrupt("\(what): the data is damaged")
        case agd_averror(ENOMEM): .noMemory("\(what)")
        case agd_averror(ENOSYS), patchWelcome: .unsupported("\(what): the decoder does not support a feature")
        default: .internalFault("\(what): FFmpeg error \(code)")
        }
    }

    /// `AVERROR_PATCHWELCOME`, whose tag is "PAWE".
    private static let patchWelcome = -Int32(bitPattern: 0x4557_4150)
}

/// The failures of each code, so that a statement can throw them by name.
extension TranscodeFailure {
    static func unsupported(_ detail: String) -> Self { Self(.unsupported, detail) }
    static func corrupt(_ detail: String) -> Self { Self(.corrupt, detail) }
    static func tooManyPixels(_ detail: String) -> Self { Self(.tooManyPixels, detail) }
    static func tooLarge(_ detail: String) -> Self { Self(.tooLarge, detail) }
    static func storage(_ detail: String) -> Self { Self(.storage, detail) }
    static func internalFault(_ detail: String) -> Self { Self(.internalFault, detail) }
    /// Returns the failure of an allocation.
    static func noMemory(_ what: String) -> Self { .tooManyPixels("\(what): not enough memory") }
}

/// The names of codecs for messages.
enum CodecName {
    static func of(_ codec: AVCodecID) -> String {
        // FFmpeg returns a static string, which is "unknown_codec" for unknown codecs.
        unsafe String(cString: avcodec_get_name(codec))
    }
}
