import CFFmpeg
import Glibc
import TranscodeProtocol

/// An output file with a size limit. The file is emptied before anything is written. Its descriptor is not closed.
@safe
final class OutputFile {
    private enum Fault {
        case tooLarge
        case system(Int32)
    }

    let descriptor: Int32
    private let mostBytes: Int64
    private var offset: Int64 = 0
    private(set) var byteCount: Int64 = 0
    private var fault: Fault?

    /// Empties the output file.
    ///
    /// - Throws: `storage` if the file cannot be emptied.
    init(_ descriptor: Int32, mostBytes: UInt64) throws(TranscodeFailure) {
        self.descriptor = descriptor
        self.mostBytes = Int64(clamping: mostBytes)
        guard ftruncate(descriptor, 0) == 0 else {
            throw TranscodeFailure(.storage, "emptying an output (errno \(errno))")
        }
    }

    /// Writes at the offset, and moves the offset. Returns the number of written bytes or a negative FFmpeg code, and
    /// stores the fault for `checkWrites`.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard offset <= mostBytes, Int64(bytes.count) <= mostBytes - offset else {
            fault = fault ?? .tooLarge
            return agd_averror(EFBIG)
        }
        var done = 0
        while done < bytes.count {
            let wrote = unsafe pwrite(
                descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done, Int(offset))
            guard wrote > 0 else {
                if wrote < 0, errno == EINTR { continue }
                fault = fault ?? .system(wrote < 0 ? errno : ENOSPC)
                return agd_averror(EIO)
            }
            done += wrote
            offset += Int64(wrote)
        }
        byteCount = max(byteCount, offset)
        return Int32(clamping: bytes.count)
    }

    /// Returns the new offset, the size for `AVSEEK_SIZE`, or an error for an offset before the start.
    func seek(to target: Int64, whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 { return byteCount }
        let start: Int64
        switch whence & ~AVSEEK_FORCE {
        case SEEK_SET: start = 0
        case SEEK_CUR: start = offset
        case SEEK_END: start = byteCount
        default: return Int64(agd_averror(EINVAL))
        }
        let (wanted, overflow) = start.addingReportingOverflow(target)
        guard !overflow, wanted >= 0 else { return Int64(agd_averror(EINVAL)) }
        offset = wanted
        return wanted
    }

    /// Writes a finished image.
    func write(_ bytes: Span<UInt8>) throws(TranscodeFailure) {
        _ = unsafe bytes.withUnsafeBytes { unsafe write($0) }
        try checkWrites()
    }

    /// Whether a write exceeded the limit of bytes.
    var isTooLarge: Bool { if case .tooLarge = fault { true } else { false } }

    /// Throws the fault of an earlier write, even if FFmpeg ignored it.
    ///
    /// - Throws: `tooLarge` or `storage`.
    func checkWrites() throws(TranscodeFailure) {
        switch fault {
        case nil: return
        case .tooLarge: throw TranscodeFailure(.tooLarge, "the rendition needs more than \(mostBytes) bytes")
        case .system(let code): throw TranscodeFailure(.storage, "writing an output (errno \(code))")
        }
    }
}
