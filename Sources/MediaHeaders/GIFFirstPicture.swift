/// The place of the first picture of a GIF, and how much of it is there.
package struct GIFFirstPicture {
    /// On the screen. It may reach beyond it.
    package let area: ImageRectangle
    package let isInterlaced: Bool
    /// Bits of the first codes, less one: 1…11.
    private let codeBits: Int
    /// Offset of the first sub-block of codes.
    private let start: Int

    /// - Returns: `nil` if the bytes end before it, or it is empty.
    package init?(_ bytes: Span<UInt8>) {
        guard let offset = GIFWalk.firstPicture(in: bytes), let x = bytes.littleEndian16(at: offset + 1),
            let y = bytes.littleEndian16(at: offset + 3), let width = bytes.littleEndian16(at: offset + 5),
            let height = bytes.littleEndian16(at: offset + 7), let flags = bytes.byte(at: offset + 9),
            width > 0, height > 0
        else { return nil }
        let codes = offset + 10 + GIFWalk.paletteBytes(flags)
        guard let codeBits = bytes.byte(at: codes), (1...11).contains(codeBits) else { return nil }
        area = ImageRectangle(x: x, y: y, width: width, height: height)
        isInterlaced = flags & 0x40 != 0
        self.codeBits = Int(codeBits)
        start = codes + 1
    }

    /// Returns how many pixels the codes make before they end or are damaged, at most those of the area.
    ///
    /// Each code of LZW (GIF89a, appendix F) stands for some pixels; only their number is kept.
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

/// Reads codes from the sub-blocks of a picture.
private struct CodeReader {
    var offset: Int
    /// Bytes left of the sub-block.
    private var left = 0
    private var word = 0
    private var count = 0

    init(offset: Int) { self.offset = offset }

    /// - Parameter bits: the length of the code, 2…12.
    /// - Returns: the next code; `nil` at the end of the sub-blocks or of the bytes.
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
