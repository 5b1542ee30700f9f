import CFFmpeg
import TranscodeProtocol

/// Owns an AVFrame: a decoded or made picture.
@safe
struct Frame: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFrame>

    private init(_ pointer: UnsafeMutablePointer<AVFrame>) {
        unsafe self.pointer = pointer
    }

    deinit {
        var freeing: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&freeing)
    }

    /// A frame without a picture, for a decoder to fill.
    static func make() throws(TranscodeFailure) -> Frame {
        guard let made = unsafe av_frame_alloc() else { throw FFmpegStatus.noMemory("frame") }
        return unsafe Frame(made)
    }

    /// A picture with uninitialised pixels.
    ///
    /// - Parameter alignment: the bytes of a row are a multiple of it; 0 is what FFmpeg's code works best with.
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

    /// Red, green, blue and alpha, all of them zero.
    static func transparent(_ size: PixelSize) throws(TranscodeFailure) -> Frame {
        let frame = try allocate(width: size.width, height: size.height, format: AV_PIX_FMT_RGBA)
        frame.withMutablePlane(0) { bytes in
            for offset in 0..<bytes.count { bytes[offset] = 0 }
        }
        return frame
    }

    var width: Int { Int(unsafe pointer.pointee.width) }
    var height: Int { Int(unsafe pointer.pointee.height) }
    var format: AVPixelFormat { AVPixelFormat(rawValue: unsafe pointer.pointee.format) }
    var pixelFormat: PixelFormat { PixelFormat(format) }

    /// Whether the decoder concealed damage.
    var isDamaged: Bool {
        unsafe pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    var presentationTime: Int64 {
        get { unsafe pointer.pointee.pts }
        nonmutating set { unsafe pointer.pointee.pts = newValue }
    }

    /// The time stamp that FFmpeg thinks right where a stream's own are missing.
    var bestTime: Int64 { unsafe pointer.pointee.best_effort_timestamp }

    /// How long it is shown, in the stream's time base; 0 when unknown.
    var duration: Int64 { max(0, unsafe pointer.pointee.pkt_duration) }

    /// Drops the picture and keeps the frame.
    func clear() {
        unsafe av_frame_unref(pointer)
    }

    /// Bytes between the starts of two rows.
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

    /// Bytes from the first of the plane to the last of its last row; 0 where there is none.
    private func length(_ plane: Int) -> Int {
        let size = pixelFormat.planeSize(plane, width: width, height: height)
        guard size.rows > 0, size.rowBytes > 0, stride(plane) >= size.rowBytes else { return 0 }
        return stride(plane) * (size.rows - 1) + size.rowBytes
    }

    /// Lends the bytes of a plane; empty when the frame has no such plane.
    func withPlane<Result>(_ plane: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        guard let start = unsafe start(plane), length(plane) > 0 else { return body(Span()) }
        return body(unsafe Span(_unsafeStart: start, count: length(plane)))
    }

    /// Lends the bytes of a plane for writing; empty when the frame has no such plane. The frame must own its picture.
    func withMutablePlane(_ plane: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
        guard let start = unsafe start(plane), length(plane) > 0 else { return }
        var bytes = unsafe MutableSpan(_unsafeStart: start, count: length(plane))
        body(&bytes)
    }
}
