package import Base

/// The first image of a GIF: its area on the screen, and the number of pixels that its bytes describe.
package struct GIFFirstImage {
    /// The area of the image on the logical screen. The area may reach beyond the screen.
    package let area: Rectangle<Int>
    package let isInterlaced: Bool
    /// The minimum code size of LZW in bits, 1…11. The first codes have one bit more.
    private let codeBits: Int
    /// The offset of the first sub-block of codes.
    private let start: Int

    /// Reads the descriptor of the first image.
    ///
    /// - Returns: `nil` if the bytes end before the image, or if the image is empty.
    package init?(_ bytes: Span<UInt8>) {
        guard let offset = GIFWalk.firstImage(in: bytes), let area = GIFWalk.area(bytes, at: offset),
            let flags = bytes.byte(at: offset + 9), area.width > 0, area.height > 0
        else { return nil }
        let codes = offset + 10 + GIFWalk.paletteBytes(flags)
        guard let codeBits = bytes.byte(at: codes), (1...11).contains(codeBits) else { return nil }
        self.area = area
        isInterlaced = flags & 0x40 != 0
        self.codeBits = Int(codeBits)
        start = codes + 1
    }

    /// Returns the number of pixels that the codes describe before they end or are damaged, at most all of the area.
    ///
    /// Each LZW code (GIF89a, appendix F) stands for a sequence of pixels, of which only the length is kept.
    package func pixelCount(in bytes: Span<UInt8>) -> Int {
        var codes = CodeReader(offset: start)
        let clear = 1 << codeBits
        var lengths = [Int](repeating: 1, count: 4_096)
        var (next, bits) = (clear + 2, codeBits + 1)
        var previous: Int?
        var count = 0
        let all = area.width * area.height
        while count < all, let code = codes.next(bits, bytes), code != clear + 1 {
            if code == clear {
                (next, bits, previous) = (clear + 2, codeBits + 1, nil)
                continue
            }
            guard let before = previous else {
                guard code < clear else { break }
                count += 1
                previous = code
                continue
            }
            guard code <= next, code < next || next < 4_096 else { break }
            if next < 4_096 {
                lengths[next] = lengths[before] + 1
                next += 1
                if next == 1 << bits, bits < 12 { bits += 1 }
            }
            count += lengths[code]
            previous = code
        }
        return min(count, all)
    }
}

/// A reader of the LZW codes in the sub-blocks of an image.
private struct CodeReader {
    var offset: Int
    /// The number of unread bytes in the current sub-block.
    private var left = 0
    private var word = 0
    private var count = 0

    init(offset: Int) { self.offset = offset }

    /// Returns the next code; `nil` at the end of the sub-blocks or of the bytes.
    ///
    /// - Parameter bits: The length of the code, 2…12.
    mutating func next(_ bits: Int, _ bytes: Span<UInt8>) -> Int? {
        while count < bits {
            if left == 0 {
                guard offset < bytes.count, bytes[offset] > 0 else { return nil }
                left = Int(bytes[offset])
                offset += 1
            }
            guard offset < bytes.count else { return nil }
            word |= Int(bytes[offset]) << count
            (offset, left, count) = (offset + 1, left - 1, count + 8)
        }
        defer { (word, count) = (word >> bits, count - bits) }
        return word & (1 << bits - 1)
    }
}

/// The correction of a GIF's logical screen, for a file whose first image reaches beyond the screen.
///
/// Some programs write a screen of 0 x 0, a screen that is smaller than the images, or an image that begins beyond the
/// screen. Chrome (Wuffs, std/gif/decode_gif.wuffs) and Pillow enlarge the screen to the edges of the first image.
/// FFmpeg's decoder cuts the width of an image that is too large, and takes the remaining pixels of a row for the next
/// row. The decoder refuses an image that begins beyond the screen.
package enum GIFScreen {
    /// The offset of the screen's width in the file. The height follows after it (GIF89a, 18).
    package static let offset = 6
    /// The largest side of a screen, which has 16 bits. Larger images exceed the limits of a worker, or are cropped.
    private static let maxSide = 0xFFFF
    /// The maximum growth of the screen, as a multiple of its pixels. The limit bounds the screen of an image that
    /// begins far outside the file's own screen.
    private static let maxGrowth = 4

    /// Returns the four bytes that replace the width and the height of the screen; `nil` if both are right.
    package static func correction(of bytes: Span<UInt8>) -> [UInt8]? {
        guard bytes.spells("GIF", at: 0), let width = bytes.littleEndian16(at: offset),
            let height = bytes.littleEndian16(at: offset + 2), let first = GIFWalk.firstImage(in: bytes),
            let area = GIFWalk.area(bytes, at: first)
        else { return nil }
        var sides = (max(width, area.x + area.width), max(height, area.y + area.height))
        let whole = (max(width, area.width), max(height, area.height))
        // An image that begins far outside the screen is cropped at its edges instead.
        if sides.0 * sides.1 > maxGrowth * whole.0 * whole.1 { sides = whole }
        guard sides != (width, height) else { return nil }
        return [sides.0, sides.1].map { min($0, maxSide) }
            .flatMap { side in [UInt8(truncatingIfNeeded: side), UInt8(clamping: side >> 8)] }
    }
}
