import CFFmpeg
import Glibc

/// A demuxer's position in the mapped input. The cursor must not outlive the mapping.
@safe
final class InputCursor {
    private let base: UnsafePointer<UInt8>
    private let count: Int
    private var offset = 0

    /// Creates a cursor at the start of the input.
    ///
    /// - Parameter end: The number of bytes that can be read; `nil` means all bytes.
    init(_ input: borrowing MappedInput, upTo end: Int? = nil) {
        unsafe base = UnsafePointer(input.base)
        count = min(input.count, max(0, end ?? input.count))
    }

    /// Copies the next bytes to `buffer`, or returns `AVERROR_EOF` at the end.
    func read(into buffer: UnsafeMutablePointer<UInt8>, atMost size: Int) -> Int32 {
        let length = min(size, count - offset)
        guard length > 0 else { return agd_averror_eof }
        unsafe buffer.update(from: base + offset, count: length)
        offset += length
        return Int32(clamping: length)
    }

    /// Returns the new offset, the size for `AVSEEK_SIZE`, or an error for an offset outside the input.
    func seek(to target: Int64, whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 { return Int64(count) }
        let start: Int
        switch whence & ~AVSEEK_FORCE {
        case SEEK_SET: start = 0
        case SEEK_CUR: start = offset
        case SEEK_END: start = count
        default: return Int64(agd_averror(EINVAL))
        }
        let (wanted, overflow) = Int64(start).addingReportingOverflow(target)
        guard !overflow, wanted >= 0, wanted <= count else { return Int64(agd_averror(EINVAL)) }
        offset = Int(wanted)
        return wanted
    }
}
