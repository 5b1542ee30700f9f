import Base
import CFFmpeg
import TranscodeProtocol

/// The owner of an AVFrame, which holds an image or samples of a sound.
@safe
struct Frame: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFrame>

    deinit {
        var freeing: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&freeing)
    }

    /// Returns a frame without a buffer, for a decoder to fill.
    static func make() throws(TranscodeFailure) -> Frame {
        guard let made = unsafe av_frame_alloc() else { throw .noMemory("frame") }
        return unsafe Frame(pointer: made)
    }

    /// Returns an image with uninitialized pixels.
    ///
    /// - Parameter alignment: The number of bytes of which a row's length is a multiple; 0 for FFmpeg's choice.
    static func allocate(
        width: Int, height: Int, format: AVPixelFormat, alignment: Int32 = 0
    ) throws(TranscodeFailure) -> Frame {
        let frame = try make()
        unsafe frame.pointer.pointee.width = Int32(clamping: width)
        unsafe frame.pointer.pointee.height = Int32(clamping: height)
        unsafe frame.pointer.pointee.format = format.rawValue
        try FFmpegStatus.check(unsafe av_frame_get_buffer(frame.pointer, alignment), "allocating a frame")
        return frame
    }

    /// Returns an RGBA image in which all values are zero.
    static func transparent(_ size: PixelSize) throws(TranscodeFailure) -> Frame {
        let frame = try allocate(width: size.width, height: size.height, format: AV_PIX_FMT_RGBA)
        frame.fill(with: 0)
        return frame
    }

    var width: Int { Int(unsafe pointer.pointee.width) }
    var height: Int { Int(unsafe pointer.pointee.height) }
    var size: PixelSize { PixelSize(width, height) }
    var format: AVPixelFormat { AVPixelFormat(rawValue: unsafe pointer.pointee.format) }
    var pixelFormat: PixelFormat { PixelFormat(format) }

    /// Whether the decoder concealed damage in the frame.
    var isDamaged: Bool {
        unsafe pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    var presentationTime: Int64 {
        get { unsafe pointer.pointee.pts }
        nonmutating set { unsafe pointer.pointee.pts = newValue }
    }

    /// The time stamp that FFmpeg estimates if the stream has none for this frame.
    var bestTime: Int64 { unsafe pointer.pointee.best_effort_timestamp }

    /// The time for which the frame is shown, in the stream's time base; 0 if it is unknown.
    var duration: Int64 { max(0, unsafe pointer.pointee.pkt_duration) }

    /// Releases the buffer and keeps the frame for reuse.
    func clear() { unsafe av_frame_unref(pointer) }

    /// Returns the number of bytes between the starts of two rows.
    func stride(_ plane: Int) -> Int {
        switch plane {
        case 0: Int(unsafe pointer.pointee.linesize.0)
        case 1: Int(unsafe pointer.pointee.linesize.1)
        case 2: Int(unsafe pointer.pointee.linesize.2)
        case 3: Int(unsafe pointer.pointee.linesize.3)
        default: 0
        }
    }

    private func start(_ plane: Int) -> UnsafeMutablePointer<UInt8>? {
        switch plane {
        case 0: unsafe pointer.pointee.data.0
        case 1: unsafe pointer.pointee.data.1
        case 2: unsafe pointer.pointee.data.2
        case 3: unsafe pointer.pointee.data.3
        default: nil
        }
    }

    /// Returns the number of bytes from the start of the plane to the end of its last row; 0 if there is no such plane.
    private func length(_ plane: Int) -> Int {
        let size = pixelFormat.planeSize(plane, width: width, height: height)
        guard size.rows > 0, size.rowBytes > 0, stride(plane) >= size.rowBytes else { return 0 }
        return stride(plane) * (size.rows - 1) + size.rowBytes
    }

    /// Lends the bytes of a plane. The span is empty if the frame has no such plane.
    func withPlane<Result>(_ plane: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        guard let start = unsafe start(plane), length(plane) > 0 else { return body(Span()) }
        return body(unsafe Span(_unsafeStart: start, count: length(plane)))
    }

    /// Lends the bytes of a plane for writing, unless the frame has no such plane. The frame has to own its buffer.
    func withMutablePlane(_ plane: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
        guard let start = unsafe start(plane), length(plane) > 0 else { return }
        var bytes = unsafe MutableSpan(_unsafeStart: start, count: length(plane))
        body(&bytes)
    }
}
