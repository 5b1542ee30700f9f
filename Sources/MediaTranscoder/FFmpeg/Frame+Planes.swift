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
