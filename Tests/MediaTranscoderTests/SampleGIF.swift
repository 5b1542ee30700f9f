/// A writer of GIFs in which the sizes of the screen and of the frames may contradict each other.
struct SampleGIF {
    struct Frame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        var isInterlaced = false
    }

    /// The palette: red, green, blue and yellow.
    static let colors: [[UInt8]] = [[220, 30, 30], [30, 180, 40], [30, 60, 220], [230, 220, 40]]

    /// Returns a GIF. Each frame shows four quarters, with red and green above blue and yellow.
    static func bytes(screen: (Int, Int), _ frames: [Frame]) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + little(screen.0) + little(screen.1) + [0x91, 0, 0]
        bytes += colors.flatMap(\.self)
        for frame in frames {
            bytes += [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
            bytes += [0x2C] + little(frame.x) + little(frame.y) + little(frame.width) + little(frame.height)
            bytes += [frame.isInterlaced ? 0x40 : 0, 2] + codes(of: frame) + [0]
        }
        return bytes + [0x3B]
    }

    private static func little(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }

    /// Returns LZW codes of three bits. A clear code precedes every two pixels, so that no code needs more bits.
    private static func codes(of frame: Frame) -> [UInt8] {
        let passes = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0, to: frame.height, by: $1)) }
        let rows = frame.isInterlaced ? passes : Array(0..<frame.height)
        let pixels = rows.flatMap { row in
            (0..<frame.width).map { (row * 2 < frame.height ? 0 : 2) + ($0 * 2 < frame.width ? 0 : 1) }
        }
        var (word, count, packed): (Int, Int, [UInt8]) = (0, 0, [])
        func put(_ code: Int) {
            word |= code << count
            count += 3
            while count >= 8 {
                packed.append(UInt8(word & 255))
                (word, count) = (word >> 8, count - 8)
            }
        }
        for (index, pixel) in pixels.enumerated() {
            if index % 2 == 0 { put(4) }
            put(pixel)
        }
        put(5)
        put(0)
        put(0)
        return stride(from: 0, to: packed.count, by: 255).flatMap { start in
            let block = packed[start..<min(start + 255, packed.count)]
            return [UInt8(block.count)] + block
        }
    }
}
