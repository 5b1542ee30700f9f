import CFFmpeg
import Glibc

/// A reader of an output file's contents, with its own offset.
@safe
final class OutputReader {
    private let output: OutputFile
    private var offset: Int64 = 0

    init(_ output: OutputFile) {
        self.output = output
    }

    func rewind() {
        offset = 0
    }

    /// Reads the next bytes, or returns `AVERROR_EOF` at the end.
    func read(into buffer: UnsafeMutablePointer<UInt8>, atMost size: Int) -> Int32 {
        var got = -1
        repeat { got = unsafe pread(output.descriptor, buffer, size, Int(offset)) } while got < 0 && errno == EINTR
        guard got > 0 else { return got == 0 ? agd_averror_eof : agd_averror(EIO) }
        offset += Int64(got)
        return Int32(clamping: got)
    }

    /// Returns the new offset, the size for `AVSEEK_SIZE`, or an error for an offset before the start.
    func seek(to target: Int64, whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 { return output.byteCount }
        let start: Int64
        switch whence & ~AVSEEK_FORCE {
        case SEEK_SET: start = 0
        case SEEK_CUR: start = offset
        case SEEK_END: start = output.byteCount
        default: return Int64(agd_averror(EINVAL))
        }
        let (wanted, overflow) = start.addingReportingOverflow(target)
        guard !overflow, wanted >= 0 else { return Int64(agd_averror(EINVAL)) }
        offset = wanted
        return wanted
    }
}
