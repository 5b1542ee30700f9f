import CFFmpeg

extension Frame {
    /// Plane starts as swscale takes them. Valid while the frame is.
    @unsafe
    var planes: [UnsafePointer<UInt8>?] {
        let data = unsafe pointer.pointee.data
        return unsafe [
            data.0.map { unsafe UnsafePointer($0) }, data.1.map { unsafe UnsafePointer($0) },
            data.2.map { unsafe UnsafePointer($0) }, data.3.map { unsafe UnsafePointer($0) },
        ]
    }

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

    /// Makes the luma of an own picture even by repeating its last column and row, in the room that its buffer has for
    /// them.
    func repeatLastLuma() {
        guard let luma = unsafe pointer.pointee.data.0 else { return }
        let step = stride(0)
        let hasOddWidth = width % 2 > 0 && step > width
        if hasOddWidth {
            for row in 0..<height { unsafe luma[row * step + width] = luma[row * step + width - 1] }
        }
        guard height % 2 > 0 else { return }
        unsafe (luma + height * step).update(
            from: luma + (height - 1) * step, count: hasOddWidth ? width + 1 : width)
    }

    /// Plane starts at a row that is even, so that it is a row of the colour differences too. A palette stays.
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

extension Frame {
    /// Makes all colours of a palette opaque. FFmpeg's BMP decoder leaves the colours that a file does not have transparent;
    /// browsers show them black.
    func makePaletteOpaque() {
        guard pixelFormat.hasPalette, let palette = unsafe pointer.pointee.data.1 else { return }
        // 256 numbers of 32 bits, whose highest eight are the alpha.
        for colour in 0..<256 { unsafe palette[4 * colour + 3] = 255 }
    }
}
