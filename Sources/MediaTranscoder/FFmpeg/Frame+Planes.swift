import CFFmpeg

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
