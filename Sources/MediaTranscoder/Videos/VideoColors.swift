import CFFmpeg

/// The colours of a video's pixels, as ITU-T H.273 numbers them.
struct VideoColors: Equatable {
    var matrix: AVColorSpace
    var primaries: AVColorPrimaries
    var transfer: AVColorTransferCharacteristic

    static let bt709 = VideoColors(matrix: AVCOL_SPC_BT709, primaries: AVCOL_PRI_BT709, transfer: AVCOL_TRC_BT709)
}

extension VideoColors {
    /// The colours that a container names.
    init(_ stream: MediaStream) {
        self.init(
            matrix: unsafe stream.parameters.pointee.color_space,
            primaries: unsafe stream.parameters.pointee.color_primaries,
            transfer: unsafe stream.parameters.pointee.color_trc)
    }

    /// The colours that a decoded frame has by its container, or else by its codec. The matrix of RGB is no matrix of the
    /// video that is made of it.
    init(_ frame: borrowing Frame) {
        let matrix = unsafe frame.pointer.pointee.colorspace
        self.init(
            matrix: matrix == AVCOL_SPC_RGB ? AVCOL_SPC_UNSPECIFIED : matrix,
            primaries: unsafe frame.pointer.pointee.color_primaries,
            transfer: unsafe frame.pointer.pointee.color_trc)
    }
}
