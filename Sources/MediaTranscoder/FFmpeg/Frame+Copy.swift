import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// A picture of its own with the same pixels, without side data.
    func copy() throws(TranscodeFailure) -> Frame {
        let copy = try Frame.allocate(width: width, height: height, format: format)
        try FFmpegStatus.check(unsafe av_frame_copy(copy.pointer, pointer), "copying a picture")
        unsafe copy.pointer.pointee.color_range = pointer.pointee.color_range
        unsafe copy.pointer.pointee.colorspace = pointer.pointee.colorspace
        return copy
    }
}
