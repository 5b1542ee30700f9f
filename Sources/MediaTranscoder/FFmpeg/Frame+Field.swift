import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// Whether the rows of the picture are of two times, one half of them of each.
    var isInterlaced: Bool { unsafe pointer.pointee.interlaced_frame != 0 && height >= 4 }

    /// The upper field: every other row, without a copy. Motion is a comb where both fields are shown at once.
    func field() throws(TranscodeFailure) -> Frame {
        let field = try Frame.make()
        try FFmpegStatus.check(unsafe av_frame_ref(field.pointer, pointer), "field")
        // Colour differences have half the rows, and each field has half of those.
        unsafe field.pointer.pointee.height = Int32(height / 4 * 2)
        unsafe field.pointer.pointee.linesize.0 *= 2
        unsafe field.pointer.pointee.linesize.1 *= 2
        unsafe field.pointer.pointee.linesize.2 *= 2
        unsafe field.pointer.pointee.linesize.3 *= 2
        unsafe field.pointer.pointee.interlaced_frame = 0
        return field
    }

    /// A picture of the same size that shows one time.
    func deinterlaced() throws(TranscodeFailure) -> Frame {
        let field = try field()
        let whole = try Frame.allocate(width: width, height: height, format: format)
        try FFmpegStatus.check(unsafe av_frame_copy_props(whole.pointer, pointer), "field")
        unsafe whole.pointer.pointee.interlaced_frame = 0
        try Scaler.make(from: field.shape, to: whole.shape, quality: .still).scale(field, into: whole)
        return whole
    }
}
