import MediaHeaders

/// The layout of one component's lowest coefficients in the array with the coefficients of all components. The blocks
/// are stored row by row. Each begins with its DC coefficient.
struct BlockPlane {
    /// The number of blocks in a row that hold a part of the image. A scan of this component alone has these blocks.
    let width: Int
    let height: Int
    /// The number of blocks in a row of the array. Some only complete the last MCU of an interleaved scan.
    let rowBlocks: Int
    /// The number of this component's blocks in a row of one MCU (minimum coded unit) of an interleaved scan.
    let mcuWidth: Int
    let mcuHeight: Int
    /// The number of MCUs in a row of an interleaved scan.
    let mcusAcross: Int
    let mcusDown: Int
    /// The samples along the side of a decoded block, 1 or 2. The array has `side` × `side` coefficients of a block.
    let side: Int
    /// The index of the component's first coefficient in the array.
    let start: Int

    /// Creates the layout of a component.
    ///
    /// - Parameter side: 1 to store only the DC coefficients; 2 to store the AC coefficients 1, 2 and 4 (zigzag), too.
    /// - Parameter start: The end of the coefficients of the earlier components.
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

    /// The index after the component's last coefficient.
    var end: Int { start + rowBlocks * mcusDown * mcuHeight * side * side }

    private static func blocks(_ samples: Int) -> Int { (samples + 7) / 8 }

    /// Returns the index of a block's DC coefficient.
    @inline(__always)
    func coefficient(ofBlock column: Int, inRow row: Int) -> Int {
        start + (row * rowBlocks + column) * (side == 1 ? 1 : 4)
    }
}
