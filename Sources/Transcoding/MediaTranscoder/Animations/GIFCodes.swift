/// An encoder of the compressed pixels of a GIF frame: LZW codes in blocks of 255 bytes (GIF89a, appendix F).
struct GIFCodes {
    private static let maxCodes = 4_096
    private static let places = 8_192

    private let bits: Int
    private var width: Int
    private var next: Int
    /// The hash table of the codes. The lower 20 bits hold a code and the pixel after it. The upper bits hold the code
    /// for both, plus one. 0 marks a free slot.
    private var table = [UInt64](repeating: 0, count: Self.places)
    private var pending: UInt32 = 0
    private var pendingBits = 0
    private var bytes: [UInt8]
    /// The position of the length byte of the block that is being filled.
    private var block: Int

    private var clear: Int { 1 << bits }

    private init(bits: Int) {
        self.bits = bits
        (width, next) = (bits + 1, (1 << bits) + 2)
        (bytes, block) = ([UInt8(bits), 0], 1)
    }

    /// Returns the compressed pixels.
    ///
    /// - Parameter bits: The number of bits in a pixel, 2…8.
    static func encode(_ pixels: [UInt8], bits: Int) -> [UInt8] {
        var codes = GIFCodes(bits: bits)
        codes.put(codes.clear)
        var prefix = Int(pixels.first ?? 0)
        for pixel in pixels.dropFirst() { prefix = codes.add(pixel, after: prefix) }
        codes.put(prefix)
        if codes.next >= 1 << codes.width, codes.next < maxCodes { codes.width += 1 }
        codes.put(codes.clear + 1)
        return codes.finished()
    }

    /// Adds a pixel after `prefix`, the code of the pixels before it.
    ///
    /// - Returns: The code of the pixels that are not written yet.
    private mutating func add(_ pixel: UInt8, after prefix: Int) -> Int {
        let key = UInt64(prefix) << 8 | UInt64(pixel)
        var place = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 51)
        while table[place] != 0 {
            if table[place] & 0xF_FFFF == key { return Int(table[place] >> 20) - 1 }
            place = (place + 1) % Self.places
        }
        put(prefix)
        if next < Self.maxCodes {
            table[place] = key | UInt64(next + 1) << 20
            if next >= 1 << width { width += 1 }
            next += 1
        } else {
            put(clear)
            for place in table.indices { table[place] = 0 }
            (width, next) = (bits + 1, clear + 2)
        }
        return Int(pixel)
    }

    private mutating func put(_ code: Int) {
        pending |= UInt32(code) << UInt32(pendingBits)
        pendingBits += width
        while pendingBits >= 8 {
            append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingBits -= 8
        }
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count - block == 256 {
            bytes[block] = 255
            block = bytes.count
            bytes.append(0)
        }
        bytes.append(byte)
    }

    private mutating func finished() -> [UInt8] {
        if pendingBits > 0 { append(UInt8(truncatingIfNeeded: pending)) }
        bytes[block] = UInt8(bytes.count - block - 1)
        bytes.append(0)
        return bytes
    }
}
