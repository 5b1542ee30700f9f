package import MediaTypes

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
        guard let offset = GIFWalk.firstImage(in: bytes), let x = bytes.littleEndian16(at: offset + 1),
            let y = bytes.littleEndian16(at: offset + 3), let width = bytes.littleEndian16(at: offset + 5),
            let height = bytes.littleEndian16(at: offset + 7), let flags = bytes.byte(at: offset + 9),
            width > 0, height > 0
        else { return nil }
        let codes = offset + 10 + GIFWalk.paletteBytes(flags)
        guard let codeBits = bytes.byte(at: codes), (1...11).contains(codeBits) else { return nil }
        area = Rectangle(x: x, y: y, width: width, height: height)
        isInterlaced = flags & 0x40 != 0
        self.codeBits = Int(codeBits)
        start = codes + 1
    }

    /// Returns the number of pixels that the codes describe before they end or are damaged, at most the number of
    /// pixels of the area.
    ///
    /// Each LZW code (GIF89a, appendix F) stands for a sequence of pixels. The function keeps only the length of each
    /// sequence.
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
