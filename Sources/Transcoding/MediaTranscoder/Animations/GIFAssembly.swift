import Base

/// A writer that joins frames to a GIF. Pixels that do not differ from the previous frame are transparent.
struct GIFAssembly {
    private(set) var bytes: [UInt8]
    /// The length of the GIF after each finished frame, in bytes.
    private(set) var frameEnds: [Int] = []
    private let size: PixelSize
    private var palette: GIFPalette
    private let tolerance: Int
    /// The pixels that are shown before the waiting frame.
    private var screen: [UInt8]
    /// The frame that is written when the next one is known, on which its disposal method depends.
    private var waiting: [UInt8]?
    private var milliseconds = 0
    private var hundredths = 0

    /// Starts a GIF with its header and its palette.
    ///
    /// - Parameter plays: The number of times that the animation is played; `nil` if it is played without end.
    init(size: PixelSize, palette: GIFPalette, tolerance: Int, plays: Int?) {
        (self.size, self.palette, self.tolerance) = (size, palette, tolerance)
        screen = [UInt8](repeating: palette.transparent, count: size.width * size.height)
        bytes = Array("GIF89a".utf8) + Self.fields(size.width, size.height)
        bytes += [0xF0 | UInt8(palette.bits - 1), 0, 0]
        for number in 0..<1 << palette.bits {
            let color = number < palette.colors.count ? palette.colors[number] : 0
            bytes += [UInt8(color >> 16), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF)]
        }
        bytes += Self.loop(plays)
    }

    /// Returns the block with the repetitions after the first play. 0 means an endless loop; one play has no block.
    private static func loop(_ plays: Int?) -> [UInt8] {
        let repetitions = plays.map { min($0 - 1, 0xFFFF) }
        guard repetitions != 0 else { return [] }
        return [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + fields(repetitions ?? 0) + [0]
    }

    /// Adds a frame, and writes the frame before it.
    ///
    /// - Parameter frame: A frame of the GIF's size, in `gbrp` or premultiplied `gbrap`.
    /// - Parameter milliseconds: The time that the frame is shown.
    mutating func add(_ frame: borrowing Frame, milliseconds: Int) {
        let before = waiting ?? screen
        let (width, transparent, tolerance) = (size.width, palette.transparent, tolerance)
        var pixels = [UInt8](repeating: transparent, count: before.count)
        frame.forEachPixel { column, row, pixel in
            guard pixel.isOpaque else { return }
            let place = row * width + column
            let isKept = palette.isNear(pixel, before[place], tolerance: tolerance)
            pixels[place] = isKept ? before[place] : palette.number(of: pixel, column: column, row: row)
        }
        write(before: pixels)
        waiting = pixels
        self.milliseconds += milliseconds
    }

    mutating func finish() {
        write(before: nil)
        waiting = nil
        bytes.append(0x3B)
    }

    /// Writes the waiting frame. If the next one is transparent where it is opaque, the screen is cleared between them.
    private mutating func write(before next: [UInt8]?) {
        guard let pixels = waiting else { return }
        let transparent = palette.transparent
        let clears =
            next.map { next in
                pixels.indices.contains { next[$0] == transparent && pixels[$0] != transparent }
            } ?? false
        let area = area { pixels[$0] != screen[$0] || clears && pixels[$0] != transparent }
        var part: [UInt8] = []
        part.reserveCapacity(area.columns.count * area.rows.count)
        for row in area.rows {
            for place in row * size.width + area.columns.lowerBound..<row * size.width + area.columns.upperBound {
                part.append(pixels[place] == screen[place] ? transparent : pixels[place])
            }
        }
        let end = (milliseconds + 5) / 10
        let delay = max(2, min(0xFFFF, end - hundredths))
        hundredths = end
        // The disposal method (GIF89a, 23.c.iv) 2 clears to the transparent background color; 1 leaves the pixels.
        bytes += [0x21, 0xF9, 4, (clears ? 2 : 1) << 2 | 1] + Self.fields(delay) + [transparent, 0, 0x2C]
        bytes += Self.fields(area.columns.lowerBound, area.rows.lowerBound, area.columns.count, area.rows.count) + [0]
        bytes += GIFCodes.encode(part, bits: palette.bits)
        frameEnds.append(bytes.count)
        screen = clears ? [UInt8](repeating: transparent, count: pixels.count) : pixels
    }

    /// Returns the smallest area with all pixels that `isInside` accepts, or one pixel if it accepts none.
    private func area(_ isInside: (Int) -> Bool) -> (columns: Range<Int>, rows: Range<Int>) {
        var (left, right, top, bottom) = (size.width, 0, size.height, 0)
        for row in 0..<size.height {
            for column in 0..<size.width where isInside(row * size.width + column) {
                (left, right) = (min(left, column), max(right, column + 1))
                (top, bottom) = (min(top, row), row + 1)
            }
        }
        return left < right ? (left..<right, top..<bottom) : (0..<1, 0..<1)
    }

    /// Returns numbers in two bytes each, the lower byte first.
    private static func fields(_ numbers: Int...) -> [UInt8] {
        numbers.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }
    }
}
