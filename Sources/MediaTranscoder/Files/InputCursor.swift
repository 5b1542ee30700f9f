import CFFmpeg

/// A demuxer's position in the mapped input. The cursor must not outlive the mapping.
@safe
final class InputCursor: CallbackFile {
    private let base: UnsafePointer<UInt8>
    private let count: Int

    override var byteCount: Int64 { Int64(count) }
    override var mostOffset: Int64 { Int64(count) }

    /// Creates a cursor at the start of the input.
    ///
    /// - Parameter end: The number of bytes that can be read; `nil` means all bytes.
    init(_ input: borrowing MappedInput, upTo end: Int? = nil) {
        unsafe base = UnsafePointer(input.base)
        count = min(input.count, max(0, end ?? input.count))
    }

    override func read(into buffer: UnsafeMutablePointer<UInt8>, atMost size: Int) -> Int32 {
        let length = min(size, count - Int(offset))
        guard length > 0 else { return agd_averror_eof }
        unsafe buffer.update(from: base + Int(offset), count: length)
        offset += Int64(length)
        return Int32(clamping: length)
    }
}
