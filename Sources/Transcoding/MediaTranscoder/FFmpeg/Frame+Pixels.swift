import CFFmpeg
import MediaHeaders
import TranscodeProtocol

extension Frame {
    /// Sets all bytes of all planes.
    func fill(with value: UInt8) {
        for plane in 0..<4 {
            withMutablePlane(plane) { bytes in for index in bytes.indices { bytes[index] = value } }
        }
    }

    /// Copies rows to the start of a plane.
    ///
    /// - Parameter samples: The rows without padding, each with `rowBytes` bytes.
    func fill(_ plane: Int, with samples: Span<UInt8>, rowBytes: Int) {
        let stride = stride(plane)
        withMutablePlane(plane) { target in
            for row in 0..<samples.count / rowBytes {
                for offset in 0..<rowBytes { target[row * stride + offset] = samples[row * rowBytes + offset] }
            }
        }
    }

    /// Returns the samples of a plane without the padding of its rows. The plane has one byte for each pixel.
    func samples(ofPlane plane: Int) -> [UInt8] {
        let (width, height, stride) = (width, height, stride(plane))
        return withPlane(plane) { bytes in
            var samples: [UInt8] = []
            samples.reserveCapacity(width * height)
            for row in 0..<height {
                for offset in row * stride..<row * stride + width { samples.append(bytes[offset]) }
            }
            return samples
        }
    }

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
            frame.fill(index, with: plane.samples.span, rowBytes: plane.width)
        }
        unsafe frame.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        return frame
    }

    /// Copies another image of the same format, as far as it fits. The corner is at a whole sample of every plane.
    ///
    /// - Throws: `corrupt` if the format differs or the corner is not valid.
    func paste(_ source: borrowing Frame, x: Int, y: Int) throws(TranscodeFailure) {
        let format = pixelFormat
        guard source.format == self.format, x >= 0, y >= 0, x < width, y < height,
            x % (1 << format.horizontalChromaShift) == 0, y % (1 << format.verticalChromaShift) == 0
        else { throw .corrupt("the tiles cannot be joined") }
        let (shownWidth, shownHeight) = (min(source.width, width - x), min(source.height, height - y))
        for plane in 0..<4 {
            let size = format.planeSize(plane, width: shownWidth, height: shownHeight)
            guard size.rows > 0, size.rowBytes > 0 else { continue }
            let left = format.planeSize(plane, width: x, height: 1).rowBytes
            let top = format.planeSize(plane, width: 1, height: y).rows
            let (stride, sourceStride) = (stride(plane), source.stride(plane))
            source.withPlane(plane) { bytes in
                withMutablePlane(plane) { target in
                    for row in 0..<size.rows {
                        let start = (top + row) * stride + left
                        for column in 0..<size.rowBytes {
                            target[start + column] = bytes[row * sourceStride + column]
                        }
                    }
                }
            }
        }
    }

    /// Sets the palette of an image.
    ///
    /// - Parameter colors: At most 256 colors, as 0xAARRGGBB. The other entries become black and opaque.
    func setPalette(_ colors: [UInt32]) {
        guard pixelFormat.hasPalette, let palette = unsafe pointer.pointee.data.1 else { return }
        for index in 0..<256 {
            let color = index < colors.count ? colors[index] : 0xFF00_0000
            unsafe UnsafeMutableRawPointer(palette).storeBytes(of: color, toByteOffset: 4 * index, as: UInt32.self)
        }
    }

    /// Lends the pixels of an image with four bytes per pixel and no padding between its rows. All pixels are zero.
    func withPackedPixels(
        _ body: (UnsafeMutablePointer<UInt32>) throws(TranscodeFailure) -> Void
    ) throws(TranscodeFailure) {
        guard let start = unsafe pointer.pointee.data.0, stride(0) == 4 * width else {
            throw .internalFault("the rows of the frame have padding")
        }
        let count = width * height
        try unsafe start.withMemoryRebound(to: UInt32.self, capacity: count) { pixels throws(TranscodeFailure) in
            unsafe pixels.update(repeating: 0, count: count)
            try unsafe body(pixels)
        }
    }

    /// Makes all colors of a palette opaque. FFmpeg's BMP decoder leaves the colors that a file does not define
    /// transparent. Browsers show them black.
    func makePaletteOpaque() {
        guard pixelFormat.hasPalette, let palette = unsafe pointer.pointee.data.1 else { return }
        // A palette has 256 entries of 32 bits, with alpha in the highest 8 bits.
        for color in 0..<256 { unsafe palette[4 * color + 3] = 255 }
    }
}
