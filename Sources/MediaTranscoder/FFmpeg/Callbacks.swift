import CFFmpeg
import Glibc

// The functions that FFmpeg calls back. Each function finds its owner by an opaque pointer, returns a code and never
// traps. All arithmetic is first checked against the owner's bounds.

/// Reads from the mapped input, and returns `AVERROR_EOF` at the end of the input.
func readFromInput(
    _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32
) -> Int32 {
    guard let opaque = unsafe opaque, let buffer = unsafe buffer, size > 0 else { return agd_averror(EINVAL) }
    let cursor = unsafe Unmanaged<InputCursor>.fromOpaque(opaque).takeUnretainedValue()
    return unsafe cursor.read(into: buffer, atMost: Int(size))
}

/// Moves the position in the mapped input, or returns the input's size.
func seekInInput(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let opaque = unsafe opaque else { return Int64(agd_averror(EINVAL)) }
    let cursor = unsafe Unmanaged<InputCursor>.fromOpaque(opaque).takeUnretainedValue()
    return cursor.seek(to: offset, whence: whence)
}

/// Writes to the output file.
func writeToOutput(
    _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32
) -> Int32 {
    guard let opaque = unsafe opaque, let buffer = unsafe buffer, size >= 0 else { return agd_averror(EINVAL) }
    let output = unsafe Unmanaged<OutputFile>.fromOpaque(opaque).takeUnretainedValue()
    return unsafe output.write(UnsafeRawBufferPointer(start: buffer, count: Int(size)))
}

/// Moves the position in the output file, or returns the file's size.
func seekInOutput(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let opaque = unsafe opaque else { return Int64(agd_averror(EINVAL)) }
    let output = unsafe Unmanaged<OutputFile>.fromOpaque(opaque).takeUnretainedValue()
    return output.seek(to: offset, whence: whence)
}

/// Reads written data back. The muxer moves the media data to make room for the index before it.
func readFromOutput(
    _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32
) -> Int32 {
    guard let opaque = unsafe opaque, let buffer = unsafe buffer, size > 0 else { return agd_averror(EINVAL) }
    let reader = unsafe Unmanaged<OutputReader>.fromOpaque(opaque).takeUnretainedValue()
    return unsafe reader.read(into: buffer, atMost: Int(size))
}

/// Moves the position at which the output file is read back.
func seekInOutputReader(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let opaque = unsafe opaque else { return Int64(agd_averror(EINVAL)) }
    let reader = unsafe Unmanaged<OutputReader>.fromOpaque(opaque).takeUnretainedValue()
    return reader.seek(to: offset, whence: whence)
}

/// Refuses every file that a demuxer asks to open. Media never causes input or output.
func refuseToOpen(
    _ context: UnsafeMutablePointer<AVFormatContext>?, _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
    _ url: UnsafePointer<CChar>?, _ flags: Int32, _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    agd_averror(EACCES)
}

/// Gives the MP4 muxer a second view of its own output for reading. The muxer may open nothing else.
func openOutputAgain(
    _ context: UnsafeMutablePointer<AVFormatContext>?, _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
    _ url: UnsafePointer<CChar>?, _ flags: Int32, _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let context = unsafe context, let io = unsafe io, flags == AVIO_FLAG_READ,
        let opaque = unsafe context.pointee.opaque
    else { return agd_averror(EACCES) }
    let reader = unsafe Unmanaged<OutputReader>.fromOpaque(opaque).takeUnretainedValue()
    reader.rewind()
    let size = IOContext.bufferBytes
    guard let buffer = unsafe av_malloc(size) else { return agd_averror(ENOMEM) }
    let made = unsafe avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Int32(size), 0, opaque, readFromOutput, nil, seekInOutputReader)
    guard let made = unsafe made else {
        unsafe av_free(buffer)
        return agd_averror(ENOMEM)
    }
    unsafe io.pointee = made
    return 0
}

/// Frees the view that `openOutputAgain` made.
func closeOutputAgain(_ context: UnsafeMutablePointer<AVFormatContext>?, _ io: UnsafeMutablePointer<AVIOContext>?)
    -> Int32
{
    guard let io = unsafe io else { return 0 }
    unsafe av_free(io.pointee.buffer)
    var closing: UnsafeMutablePointer<AVIOContext>? = unsafe io
    unsafe avio_context_free(&closing)
    return 0
}

/// Does nothing when FFmpeg drops its last reference to mapped bytes. The mapping has its own owner.
func leaveMapped(_ opaque: UnsafeMutableRawPointer?, _ data: UnsafeMutablePointer<UInt8>?) {}

/// Allocates an image buffer for a decoder, and fills its last two rows with the context's opaque number. Rows that are
/// never decoded can then be recognized.
func markLastRows(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ frame: UnsafeMutablePointer<AVFrame>?, _ flags: Int32
) -> Int32 {
    guard let context = unsafe context, let frame = unsafe frame else { return agd_averror(EINVAL) }
    let code = unsafe avcodec_default_get_buffer2(context, frame, flags)
    guard code >= 0, let start = unsafe frame.pointee.data.0 else { return code }
    let height = Int(unsafe frame.pointee.height)
    let stride = Int(unsafe frame.pointee.linesize.0)
    let rowBytes = Int(
        av_image_get_linesize(AVPixelFormat(rawValue: unsafe frame.pointee.format), unsafe frame.pointee.width, 0))
    guard height > 0, rowBytes > 0, stride >= rowBytes else { return code }
    let mark = UInt8(truncatingIfNeeded: Int(bitPattern: unsafe context.pointee.opaque))
    for row in max(0, height - 2)..<height {
        unsafe (start + row * stride).update(repeating: mark, count: rowBytes)
    }
    return code
}
