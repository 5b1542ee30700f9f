import CFFmpeg
import Glibc

// The functions that FFmpeg calls back. Each function finds its owner by an opaque pointer, returns a code and never
// traps. All arithmetic is first checked against the owner's bounds.

/// Reads from a file, and returns `AVERROR_EOF` at its end.
func readFromFile(_ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
    guard let opaque = unsafe opaque, let buffer = unsafe buffer, size > 0 else { return agd_averror(EINVAL) }
    let file = unsafe Unmanaged<CallbackFile>.fromOpaque(opaque).takeUnretainedValue()
    return unsafe file.read(into: buffer, atMost: Int(size))
}

func writeToFile(_ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: Int32) -> Int32 {
    guard let opaque = unsafe opaque, let buffer = unsafe buffer, size >= 0 else { return agd_averror(EINVAL) }
    let file = unsafe Unmanaged<CallbackFile>.fromOpaque(opaque).takeUnretainedValue()
    return unsafe file.write(UnsafeRawBufferPointer(start: buffer, count: Int(size)))
}

/// Moves the position in a file, or returns the file's size.
func seekInFile(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let opaque = unsafe opaque else { return Int64(agd_averror(EINVAL)) }
    return unsafe Unmanaged<CallbackFile>.fromOpaque(opaque).takeUnretainedValue().seek(to: offset, whence: whence)
}

/// Refuses every file that a demuxer asks to open. Media never causes input or output.
func refuseToOpen(
    _ context: UnsafeMutablePointer<AVFormatContext>?, _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
    _ url: UnsafePointer<CChar>?, _ flags: Int32, _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    agd_averror(EACCES)
}

/// Gives the MP4 muxer a second view of its own output for reading. It may open nothing else, and moves the media data.
func openOutputAgain(
    _ context: UnsafeMutablePointer<AVFormatContext>?, _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
    _ url: UnsafePointer<CChar>?, _ flags: Int32, _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let context = unsafe context, let io = unsafe io, flags == AVIO_FLAG_READ,
        let opaque = unsafe context.pointee.opaque
    else { return agd_averror(EACCES) }
    let reader = unsafe Unmanaged<CallbackFile>.fromOpaque(opaque).takeUnretainedValue()
    reader.offset = 0
    guard let made = try? unsafe IOContext.allocate(reader, isWriting: false, "output") else {
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
