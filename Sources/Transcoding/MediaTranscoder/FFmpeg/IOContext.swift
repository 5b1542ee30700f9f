import CFFmpeg
import Glibc
import TranscodeProtocol

/// The owner of an AVIOContext, of its buffer and of the file that its callbacks use.
@safe
struct IOContext: ~Copyable {
    private static let bufferBytes = 65_536

    let pointer: UnsafeMutablePointer<AVIOContext>
    /// The file that the callbacks use. The file lives longer than the context.
    private let file: CallbackFile

    deinit {
        // FFmpeg may have replaced the buffer, so the pointer is read from the context.
        unsafe av_free(pointer.pointee.buffer)
        var closing: UnsafeMutablePointer<AVIOContext>? = unsafe pointer
        unsafe avio_context_free(&closing)
    }

    /// Returns a context that reads the mapped input and can seek in it.
    static func reading(_ cursor: InputCursor) throws(TranscodeFailure) -> IOContext {
        try unsafe IOContext(pointer: allocate(cursor, isWriting: false, "input"), file: cursor)
    }

    /// Returns a context that writes the output file and can seek in it.
    static func writing(_ output: OutputFile) throws(TranscodeFailure) -> IOContext {
        try unsafe IOContext(pointer: allocate(output, isWriting: true, "output"), file: output)
    }

    /// Allocates a context and its buffer. The context holds an unretained reference to the file.
    @unsafe
    static func allocate(
        _ file: CallbackFile, isWriting: Bool, _ name: StaticString
    ) throws(TranscodeFailure) -> UnsafeMutablePointer<AVIOContext> {
        guard let buffer = unsafe av_malloc(bufferBytes) else { throw .noMemory("\(name) buffer") }
        let made = unsafe avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferBytes), isWriting ? 1 : 0,
            Unmanaged.passUnretained(file).toOpaque(), readFromFile, writeToFile, seekInFile)
        guard let made = unsafe made else {
            unsafe av_free(buffer)
            throw .noMemory("\(name) context")
        }
        return unsafe made
    }
}

/// A file at the position at which FFmpeg's callbacks read or write. A subclass permits one of the two.
class CallbackFile {
    /// The position, in bytes.
    final var offset: Int64 = 0

    /// The number of bytes of the file.
    var byteCount: Int64 { 0 }

    /// The largest position to which a callback can seek.
    var maxOffset: Int64 { .max }

    /// Copies the next bytes to `buffer`, or returns `AVERROR_EOF` at the end.
    func read(into buffer: UnsafeMutablePointer<UInt8>, atMost size: Int) -> Int32 { agd_averror(EACCES) }

    /// Writes at the offset, and moves the offset. Returns the number of written bytes or a negative FFmpeg code.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 { agd_averror(EACCES) }

    /// Returns the new offset, the size for `AVSEEK_SIZE`, or an error for an offset outside 0…`maxOffset`.
    final func seek(to target: Int64, whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 { return byteCount }
        let start: Int64
        switch whence & ~AVSEEK_FORCE {
        case SEEK_SET: start = 0
        case SEEK_CUR: start = offset
        case SEEK_END: start = byteCount
        default: return Int64(agd_averror(EINVAL))
        }
        let (wanted, overflow) = start.addingReportingOverflow(target)
        guard !overflow, wanted >= 0, wanted <= maxOffset else { return Int64(agd_averror(EINVAL)) }
        offset = wanted
        return wanted
    }
}
