import MediaHeaders

/// The layout of one component's lowest coefficients within the array that holds those of all components. Blocks follow
/// each other row by row, and each block begins with its DC coefficient.
struct BlockPlane {
    /// Blocks across and down that hold a part of the picture: the blocks of a scan of this component alone.
    let width: Int
    let height: Int
    /// Blocks of a row in the array, including those that only complete the last MCU of an interleaved scan.
    let rowBlocks: Int
    /// Blocks of this component across and down in one MCU (minimum coded unit) of an interleaved scan.
    let mcuWidth: Int
    let mcuHeight: Int
    /// MCUs of an interleaved scan across and down.
    let mcusAcross: Int
    let mcusDown: Int
    /// Samples along the side of a decoded block, 1 or 2. The array holds `side` × `side` coefficients of each block.
    let side: Int
    /// Index of the component's first coefficient in the array.
    let start: Int

    /// - Parameters:
    ///   - side: 1 to keep the DC coefficients alone, 2 to keep the AC coefficients 1, 2 and 4 in zigzag
    ///     order too.
    ///   - start: the end of the coefficients of the components before.
    init(_ component: JPEGHeader.Component, of header: JPEGHeader, side: Int, start: Int) {
        let widest = header.components.map(\.horizontalSampling).max() ?? 1
        let highest = header.components.map(\.verticalSampling).max() ?? 1
        (mcuWidth, mcuHeight) = (component.horizontalSampling, component.verticalSampling)
        width = Self.blocks((header.width * mcuWidth + widest - 1) / widest)
        height = Self.blocks((header.height * mcuHeight + highest - 1) / highest)
        mcusAcross = (header.width + 8 * widest - 1) / (8 * widest)
        mcusDown = (header.height + 8 * highest - 1) / (8 * highest)
        rowBlocks = mcusAcross * mcuWidth
        (self.side, self.start) = (side, start)
    }

    /// Index after the component's last coefficient.
    var end: Int { start + rowBlocks * mcusDown * mcuHeight * side * side }

    private static func blocks(_ samples: Int) -> Int { (samples + 7) / 8 }

    /// Returns the index of a block's DC coefficient.
    @inline(__always)
    func coefficient(ofBlock column: Int, inRow row: Int) -> Int {
        start + (row * rowBlocks + column) * (side == 1 ? 1 : 4)
    }
}
