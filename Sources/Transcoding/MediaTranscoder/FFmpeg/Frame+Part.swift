import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// Returns a part of the image as a view of the same pixels, which live as long as one of the two frames.
    ///
    /// The view begins at a sample of halved chroma, so it may begin one pixel further to the upper left. In images
    /// with one bit per pixel it begins at a whole byte, up to seven pixels further to the left.
    ///
    /// - Parameter columns: The columns, within the width and not empty.
    /// - Parameter rows: The rows, within the height and not empty.
    func part(columns: Range<Int>, rows: Range<Int>) throws(TranscodeFailure) -> Frame {
        guard columns.lowerBound >= 0, columns.upperBound <= width, !columns.isEmpty, rows.lowerBound >= 0,
            rows.upperBound <= height, !rows.isEmpty
        else { throw .internalFault("the part is not within the frame") }
        let part = try Frame.make()
        try FFmpegStatus.check(unsafe av_frame_ref(part.pointer, pointer), "making a view of a frame")
        if pixelFormat.isBitstream {
            // FFmpeg would crop only the right and the bottom of an image with several pixels in a byte.
            let left = columns.lowerBound / 8
            unsafe part.pointer.pointee.data.0? += left + rows.lowerBound * stride(0)
            unsafe part.pointer.pointee.width = Int32(columns.upperBound - left * 8)
            unsafe part.pointer.pointee.height = Int32(rows.count)
            return part
        }
        let (acrossMask, downMask) = (-1 << pixelFormat.horizontalChromaShift, -1 << pixelFormat.verticalChromaShift)
        unsafe part.pointer.pointee.crop_left = columns.lowerBound & acrossMask
        unsafe part.pointer.pointee.crop_top = rows.lowerBound & downMask
        unsafe part.pointer.pointee.crop_right = width - columns.upperBound
        unsafe part.pointer.pointee.crop_bottom = height - rows.upperBound
        try FFmpegStatus.check(
            unsafe av_frame_apply_cropping(part.pointer, Int32(AV_FRAME_CROP_UNALIGNED)), "cropping a frame")
        return part
    }

    /// Changes `gbrap` to `gbrp`. The memory stays the same, and the new format ignores the fourth plane.
    func leaveOutAlpha() {
        guard format == AV_PIX_FMT_GBRAP else { return }
        unsafe pointer.pointee.format = AV_PIX_FMT_GBRP.rawValue
    }

    /// Returns the fourth plane as a gray image. It is a view of samples that live as long as one of the frames.
    func alphaPlane() throws(TranscodeFailure) -> Frame {
        let view = try Frame.make()
        try FFmpegStatus.check(unsafe av_frame_ref(view.pointer, pointer), "making a view of a frame")
        unsafe view.pointer.pointee.format = AV_PIX_FMT_GRAY8.rawValue
        unsafe view.pointer.pointee.data = (pointer.pointee.data.3, nil, nil, nil, nil, nil, nil, nil)
        unsafe view.pointer.pointee.linesize = (pointer.pointee.linesize.3, 0, 0, 0, 0, 0, 0, 0)
        return view
    }

    /// Whether the even and the odd rows show two different times. Images of fewer than 4 rows are not interlaced.
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

    /// Fills the image with black. A format that has ranges gets limited range.
    func fillWithBlack() throws(TranscodeFailure) {
        var planes = unsafe mutablePlanes
        let code = unsafe av_image_fill_black(
            &planes, strides.map { Int($0) }, format, AVCOL_RANGE_MPEG, Int32(width), Int32(height))
        try FFmpegStatus.check(code, "filling a frame with black")
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

extension Frame {
    /// The addresses of the planes, as swscale takes them. The addresses are valid as long as the frame.
    @unsafe
    var planes: [UnsafePointer<UInt8>?] { unsafe mutablePlanes.map { unsafe UnsafePointer($0) } }

    @unsafe
    var mutablePlanes: [UnsafeMutablePointer<UInt8>?] {
        let data = unsafe pointer.pointee.data
        return unsafe [data.0, data.1, data.2, data.3]
    }

    @unsafe
    var strides: [Int32] {
        let sizes = unsafe pointer.pointee.linesize
        return [sizes.0, sizes.1, sizes.2, sizes.3]
    }

    /// Extends luma to even sides by repeating its last column and row. The frame owns its buffer, which has room.
    func repeatLastLuma() {
        guard let luma = unsafe pointer.pointee.data.0 else { return }
        let step = stride(0)
        let hasOddWidth = width % 2 > 0 && step > width
        if hasOddWidth {
            for row in 0..<height { unsafe luma[row * step + width] = luma[row * step + width - 1] }
        }
        guard height % 2 > 0 else { return }
        unsafe (luma + height * step).update(from: luma + (height - 1) * step, count: width + (hasOddWidth ? 1 : 0))
    }

    /// Returns the addresses of the planes, moved to the start of a row. The row number is even, so a row of the chroma
    /// planes begins there too. The address of a palette does not move.
    @unsafe
    func planes(fromRow row: Int) -> [UnsafePointer<UInt8>?] {
        let shift = pixelFormat.verticalChromaShift
        let isPalette = pixelFormat.hasPalette
        var moved = unsafe planes
        for plane in 0..<4 where !(isPalette && plane == 1) {
            let planeRow = plane == 1 || plane == 2 ? row >> shift : row
            unsafe moved[plane] = moved[plane].map { unsafe $0 + planeRow * stride(plane) }
        }
        return unsafe moved
    }
}
