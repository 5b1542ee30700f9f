import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// Fills the image with black. A format that has ranges gets limited range.
    func fillWithBlack() throws(TranscodeFailure) {
        let steps = unsafe pointer.pointee.linesize
        var planes = unsafe mutablePlanes
        let strides = [steps.0, steps.1, steps.2, steps.3].map { Int($0) }
        try FFmpegStatus.check(
            unsafe av_image_fill_black(
                &planes, strides, format, AVCOL_RANGE_MPEG, Int32(width), Int32(height)), "filling a frame with black")
    }

    /// Copies a whole image of the same format into this frame. The image has to be within the frame.
    ///
    /// - Parameter column: The column of the upper left pixel. The number is even if chroma is halved.
    /// - Parameter row: The row of the upper left pixel. The number is even if chroma is halved.
    func insert(_ image: borrowing Frame, column: Int, row: Int) throws(TranscodeFailure) {
        let target = try part(columns: column..<column + image.width, rows: row..<row + image.height)
        try FFmpegStatus.check(unsafe av_frame_copy(target.pointer, image.pointer), "copying a frame")
    }
}
