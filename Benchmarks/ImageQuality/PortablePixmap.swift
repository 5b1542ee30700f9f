/// An image in netpbm's binary PPM format: three bytes per pixel, eight bits per sample.
///
/// All tools of the benchmarks can write this format without loss, and no decoder of this project is needed to read it.
package struct PortablePixmap: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// Red, green and blue, in rows from the top without gaps.
    package let bytes: [UInt8]

    /// - Precondition: `bytes` has three values for each pixel.
    package init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width > 0 && height > 0 && bytes.count == width * height * 3)
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Parses a file of the type `P6` (ppm(5)).
    ///
    /// - Returns: `nil` for other types, for more than eight bits per sample, and for a file that is too short.
    package init?(file: [UInt8]) {
        guard file.starts(with: Array("P6".utf8)) else { return nil }
        var (offset, numbers) = (2, [Int]())
        while numbers.count < 3 {
            guard offset < file.count, Self.skipSpace(file, &offset), let number = Self.number(file, &offset) else {
                return nil
            }
            numbers.append(number)
        }
        // One white-space character separates the header and the samples.
        let start = offset + 1
        let (width, height) = (numbers[0], numbers[1])
        guard numbers[2] == 255, (1...65_535).contains(width), (1...65_535).contains(height),
            file.count >= start + width * height * 3
        else { return nil }
        self.init(width: width, height: height, bytes: Array(file[start..<start + width * height * 3]))
    }

    /// The bytes of a file with this image.
    package var file: [UInt8] { Array("P6\n\(width) \(height)\n255\n".utf8) + bytes }

    /// The luma of each pixel, 0…255 (ITU-R BT.601, as in JPEG).
    package var luma: LumaPlane {
        var samples = [Float](repeating: 0, count: width * height)
        for pixel in samples.indices {
            let (red, green, blue) = (bytes[pixel * 3], bytes[pixel * 3 + 1], bytes[pixel * 3 + 2])
            samples[pixel] = 0.299 * Float(red) + 0.587 * Float(green) + 0.114 * Float(blue)
        }
        return LumaPlane(width: width, height: height, samples: samples)
    }

    /// Skips white space and comments.
    ///
    /// - Returns: Whether there was white space or a comment.
    private static func skipSpace(_ file: [UInt8], _ offset: inout Int) -> Bool {
        let start = offset
        while offset < file.count {
            switch file[offset] {
            case UInt8(ascii: " "), 9...13: offset += 1
            case UInt8(ascii: "#"):
                while offset < file.count, file[offset] != UInt8(ascii: "\n") { offset += 1 }
            default: return offset > start
            }
        }
        return offset > start
    }

    private static func number(_ file: [UInt8], _ offset: inout Int) -> Int? {
        let start = offset
        while offset < file.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(file[offset]) { offset += 1 }
        return Int(String(decoding: file[start..<offset], as: UTF8.self))
    }
}
