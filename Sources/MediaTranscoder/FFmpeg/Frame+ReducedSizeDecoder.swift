import CFFmpeg
import MediaHeaders
import ProgressiveJPEG
import TranscodeProtocol

extension Frame {
    /// Copies the planes of a decoder to a frame.
    ///
    /// - Parameter header: The header of the decoder's JPEG, whose sampling is one of the usual ones.
    /// - Returns: A full-range YUV frame, or `gray8`.
    static func of(_ image: ReducedSizeDecoder, sampled header: JPEGHeader) throws(TranscodeFailure) -> Frame {
        let format: AVPixelFormat =
            switch (
                header.components.count, header.components[0].horizontalSampling, header.components[0].verticalSampling
            ) {
            case (1, _, _): AV_PIX_FMT_GRAY8
            case (_, 2, 2): AV_PIX_FMT_YUVJ420P
            case (_, 2, _): AV_PIX_FMT_YUVJ422P
            case (_, _, 2): AV_PIX_FMT_YUVJ440P
            default: AV_PIX_FMT_YUVJ444P
            }
        let frame = try allocate(width: image.planes[0].width, height: image.planes[0].height, format: format)
        for (index, plane) in image.planes.enumerated() {
            let stride = frame.stride(index)
            frame.withMutablePlane(index) { bytes in
                for row in 0..<plane.height {
                    for column in 0..<plane.width {
                        bytes[row * stride + column] = plane.samples[row * plane.width + column]
                    }
                }
            }
        }
        unsafe frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        return frame
    }
}
