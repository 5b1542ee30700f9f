import CFFmpeg
import TranscodeProtocol

/// The owner of an AVIOContext, of its buffer and of the object that its callbacks use.
@safe
struct IOContext: ~Copyable {
    static let bufferBytes = 65_536

    let pointer: UnsafeMutablePointer<AVIOContext>
    /// The object that the callbacks use. The object lives longer than the context.
    private let owner: AnyObject

    private init(_ pointer: UnsafeMutablePointer<AVIOContext>, owner: AnyObject) {
        unsafe self.pointer = pointer
        self.owner = owner
    }

    deinit {
        // FFmpeg may have replaced the buffer, so the pointer is read from the context.
        unsafe av_free(pointer.pointee.buffer)
        var closing: UnsafeMutablePointer<AVIOContext>? = unsafe pointer
        unsafe avio_context_free(&closing)
    }

    /// Returns a context that reads the mapped input and can seek in it.
    static func reading(_ cursor: InputCursor) throws(TranscodeFailure) -> IOContext {
        guard let buffer = unsafe av_malloc(bufferBytes) else { throw FFmpegStatus.noMemory("input buffer") }
        let opaque = unsafe Unmanaged.passUnretained(cursor).toOpaque()
        let made = unsafe avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferBytes), 0, opaque, readFromInput, nil, seekInInput)
        guard let made = unsafe made else {
            unsafe av_free(buffer)
            throw FFmpegStatus.noMemory("input context")
        }
        return unsafe IOContext(made, owner: cursor)
    }

    /// Returns a context that writes the output file and can seek in it.
    static func writing(_ output: OutputFile) throws(TranscodeFailure) -> IOContext {
        guard let buffer = unsafe av_malloc(bufferBytes) else { throw FFmpegStatus.noMemory("output buffer") }
        let opaque = unsafe Unmanaged.passUnretained(output).toOpaque()
        let made = unsafe avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferBytes), 1, opaque, nil, writeToOutput, seekInOutput)
        guard let made = unsafe made else {
            unsafe av_free(buffer)
            throw FFmpegStatus.noMemory("output context")
        }
        return unsafe IOContext(made, owner: output)
    }
}
