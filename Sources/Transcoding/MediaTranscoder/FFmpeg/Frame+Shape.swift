import Base
import CFFmpeg
import TranscodeProtocol

extension Frame {
    /// The size, format, range and color matrix with which swscale reads the image.
    var shape: Scaler.Shape {
        let range = unsafe pointer.pointee.color_range
        let isVideoKind = pixelFormat.isColorDifference || pixelFormat.verticalChromaShift > 0
        let isFull = range == AVCOL_RANGE_JPEG || pixelFormat.isFullRangeKind || !isVideoKind
        return Scaler.Shape(width: width, height: height, format: format, isFullRange: isFull, matrix: matrix)
    }

    private var matrix: Scaler.Matrix {
        switch unsafe pointer.pointee.colorspace {
        case AVCOL_SPC_BT709: .bt709
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
        default: .bt601
        }
    }

    /// Sets the color matrix that players assume for a video that states no matrix. The matrix is BT.709 from 720 lines
    /// or 1,280 columns on, and BT.601 for smaller videos.
    func assumeVideoColors() {
        guard unsafe pointer.pointee.colorspace == AVCOL_SPC_UNSPECIFIED else { return }
        let isHigh = width >= 1_280 || height >= 720
        unsafe pointer.pointee.colorspace = isHigh ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
    }

    /// Returns an independent image with the same pixels and without side data.
    func copy() throws(TranscodeFailure) -> Frame {
        let copy = try Frame.allocate(width: width, height: height, format: format)
        try FFmpegStatus.check(unsafe av_frame_copy(copy.pointer, pointer), "copying a frame")
        unsafe copy.pointer.pointee.color_range = pointer.pointee.color_range
        unsafe copy.pointer.pointee.colorspace = pointer.pointee.colorspace
        return copy
    }

    /// Returns the image in another format, without its side data.
    ///
    /// - Parameter size: The size of the result; `nil` for that of the image.
    func converted(to format: AVPixelFormat, size: PixelSize? = nil) throws(TranscodeFailure) -> Frame {
        let target = try Frame.allocate(width: size?.width ?? width, height: size?.height ?? height, format: format)
        try Scaler.make(from: shape, to: target.shape, quality: .still).scale(self, into: target)
        return target
    }

    /// Returns the same image with as many chroma samples as luma samples.
    func withFullColorDifferences() throws(TranscodeFailure) -> Frame {
        let full = try Frame.allocate(width: width, height: height, format: AV_PIX_FMT_YUV444P)
        try full.copyProperties(from: self)
        var target = shape
        target.format = AV_PIX_FMT_YUV444P
        try Scaler.make(from: shape, to: target, quality: .spread).scale(self, into: full)
        return full
    }

    /// Copies the colors, range, profile and times of another image, but not its pixels.
    func copyProperties(from source: borrowing Frame) throws(TranscodeFailure) {
        try FFmpegStatus.check(unsafe av_frame_copy_props(pointer, source.pointer), "copying the properties of a frame")
    }
}
