import CFFmpeg
import TranscodeProtocol

/// Owns an AVIOContext, its buffer, and the object that its callbacks work on.
@safe
struct IOContext: ~Copyable {
    static let bufferBytes = 65_536

    let pointer: UnsafeMutablePointer<AVIOContext>
    /// What the callbacks get; lives longer than the context.
    private let owner: AnyObject

    private init(_ pointer: UnsafeMutablePointer<AVIOContext>, owner: AnyObject) {
        unsafe self.pointer = pointer
        self.owner = owner
    }

    deinit {
        // FFmpeg may have replaced the buffer, so it is taken from the context.
        unsafe av_free(pointer.pointee.buffer)
        var closing: UnsafeMutablePointer<AVIOContext>? = unsafe pointer
        unsafe avio_context_free(&closing)
    }

    /// Reads the mapped input with seeking.
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

    /// Writes the output file with seeking.
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
