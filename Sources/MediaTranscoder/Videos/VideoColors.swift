import CFFmpeg

/// The colors of a video's pixels, in the code points of ITU-T H.273.
struct VideoColors: Equatable {
    var matrix: AVColorSpace
    var primaries: AVColorPrimaries
    var transfer: AVColorTransferCharacteristic

    static let bt709 = VideoColors(matrix: AVCOL_SPC_BT709, primaries: AVCOL_PRI_BT709, transfer: AVCOL_TRC_BT709)
}

extension VideoColors {
    /// Reads the colors that a container names.
    init(_ stream: MediaStream) {
        self.init(
            matrix: unsafe stream.parameters.pointee.color_space,
            primaries: unsafe stream.parameters.pointee.color_primaries,
            transfer: unsafe stream.parameters.pointee.color_trc)
    }

    /// Reads the colors of a decoded frame. The container's colors take precedence over those of the codec. The matrix
    /// of an RGB frame is not used, because the video made from it needs another matrix.
    init(_ frame: borrowing Frame) {
        let matrix = unsafe frame.pointer.pointee.colorspace
        self.init(
            matrix: matrix == AVCOL_SPC_RGB ? AVCOL_SPC_UNSPECIFIED : matrix,
            primaries: unsafe frame.pointer.pointee.color_primaries,
            transfer: unsafe frame.pointer.pointee.color_trc)
    }
}
