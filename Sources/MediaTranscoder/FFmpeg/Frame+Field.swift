import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// Whether the even and the odd rows of the image show two different times. Images of fewer than 4 rows are not
    /// treated as interlaced.
    var isInterlaced: Bool { unsafe pointer.pointee.interlaced_frame != 0 && height >= 4 }

    /// Returns the upper field, which is every other row, as a view without a copy. Together, the two fields would show
    /// comb patterns in moving areas.
    func field() throws(TranscodeFailure) -> Frame {
        let field = try Frame.make()
        try FFmpegStatus.check(unsafe av_frame_ref(field.pointer, pointer), "field")
        // A field has half the rows. Its height is even, because chroma may have half the rows of luma.
        unsafe field.pointer.pointee.height = Int32(height / 4 * 2)
        unsafe field.pointer.pointee.linesize.0 *= 2
        unsafe field.pointer.pointee.linesize.1 *= 2
        unsafe field.pointer.pointee.linesize.2 *= 2
        unsafe field.pointer.pointee.linesize.3 *= 2
        unsafe field.pointer.pointee.interlaced_frame = 0
        return field
    }

    /// Returns an image of the same size that shows only one time.
    func deinterlaced() throws(TranscodeFailure) -> Frame {
        let field = try field()
        let whole = try Frame.allocate(width: width, height: height, format: format)
        try FFmpegStatus.check(unsafe av_frame_copy_props(whole.pointer, pointer), "field")
        unsafe whole.pointer.pointee.interlaced_frame = 0
        try Scaler.make(from: field.shape, to: whole.shape, quality: .still).scale(field, into: whole)
        return whole
    }
}
