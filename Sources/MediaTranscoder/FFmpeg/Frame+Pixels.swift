import CFFmpeg
import TranscodeProtocol

extension Frame {
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
            throw TranscodeFailure(.internalFault, "the rows of the frame have padding")
        }
        let count = width * height
        try unsafe start.withMemoryRebound(to: UInt32.self, capacity: count) { pixels throws(TranscodeFailure) in
            unsafe pixels.update(repeating: 0, count: count)
            try unsafe body(pixels)
        }
    }
}
