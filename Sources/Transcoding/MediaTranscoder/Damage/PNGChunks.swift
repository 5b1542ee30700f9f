import CZlib
import Glibc
import MediaHeaders
import TranscodeProtocol

/// The chunks of a damaged PNG that a decoder needs.
struct PNGChunks {
    let isInterlaced: Bool
    let pixelBits: Int
    /// The header chunk, and the chunks before the data that have the right checksum.
    private var intact: [Range<Int>] = []
    /// The ranges of compressed data in the IDAT chunks, as far as the file has them.
    private(set) var data: [Range<Int>] = []

    /// Finds the chunks of a PNG.
    ///
    /// - Throws: `malformed` if the header chunk is missing, or if its fields or its checksum are wrong.
    init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        var (intact, data): ([Range<Int>], [Range<Int>]) = ([], [])
        var offset = 8
        while let length = bytes.bigEndian32(at: offset), let type = bytes.code(at: offset + 4), type != "IEND" {
            let end = offset + 12 + length
            if type == "IDAT" {
                data.append(offset + 8..<max(offset + 8, min(end - 4, bytes.count)))
            } else if end <= bytes.count, data.isEmpty, Self.isNeeded(type, length),
                bytes.bigEndian32(at: end - 4) == Self.checksum(of: bytes.extracting(offset + 4..<end - 4))
            {
                intact.append(offset..<end)
            }
            guard end <= bytes.count else { break }
            offset = end
        }
        guard let header = intact.first, header == 8..<33, let depth = bytes.byte(at: 24),
            let type = bytes.byte(at: 25).flatMap(PNGHeader.ColorType.init(rawValue:)),
            let interlacing = bytes.byte(at: 28), interlacing <= 1
        else { throw .malformed("PNG header chunk") }
        isInterlaced = interlacing == 1
        pixelBits = Int(depth) * type.samples
        (self.intact, self.data) = (intact, data)
    }

    private static func isNeeded(_ type: FourCharacterCode, _ length: Int) -> Bool {
        switch type {
        case "IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT": true
        case "iCCP": length <= PNGHeader.maxProfileBytes
        default: false
        }
    }

    /// Returns a PNG with the first `dataBytes` bytes of compressed data and with an end chunk.
    func png(of bytes: Span<UInt8>, dataBytes: Int) -> [UInt8] {
        var png = bytes.copy(0..<8)
        for range in intact { png += bytes.copy(range) }
        var chunk = Array("IDAT".utf8)
        chunk.reserveCapacity(4 + dataBytes)
        for range in data {
            chunk += bytes.copy(range.prefix(dataBytes + 4 - chunk.count))
        }
        png += Self.bigEndian(chunk.count - 4) + chunk + Self.bigEndian(Self.checksum(of: chunk.span))
        let end = Array("IEND".utf8)
        return png + Self.bigEndian(0) + end + Self.bigEndian(Self.checksum(of: end.span))
    }

    /// Returns the CRC of the bytes (PNG, annex D).
    private static func checksum(of bytes: Span<UInt8>) -> Int {
        Int(unsafe bytes.withUnsafeBufferPointer { unsafe crc32(0, $0.baseAddress, UInt32(clamping: $0.count)) })
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// The part of a PNG's compressed data that can be decoded.
struct InflatedRows {
    /// The number of complete rows of the data. An interlaced image has the rows of all its passes.
    private(set) var lines = 0
    /// The number of bytes of compressed data that hold these rows. A decoder finds no damage in them.
    private(set) var dataBytes = 0

    private var pass = 0
    private var lineOfPass = 0
    private var offset = 0

    /// Counts the rows before the first damage.
    static func count(
        _ data: [Range<Int>], of bytes: Span<UInt8>, in rows: PNGRows
    ) throws(TranscodeFailure) -> InflatedRows {
        var stream = unsafe z_stream()
        guard unsafe agd_inflate_init(&stream) == Z_OK else { throw .noMemory("PNG") }
        defer { unsafe inflateEnd(&stream) }
        var inflated = InflatedRows()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var status = Z_OK
        var isWhole = false
        for range in data where status == Z_OK && !isWhole {
            let input = bytes.extracting(range)
            unsafe input.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(clamping: input.count)
                repeat {
                    var made = 0
                    unsafe buffer.withUnsafeMutableBufferPointer { output in
                        unsafe stream.next_out = output.baseAddress
                        unsafe stream.avail_out = UInt32(output.count)
                        status = unsafe inflate(&stream, Z_NO_FLUSH)
                        made = unsafe output.count - Int(stream.avail_out)
                    }
                    isWhole = !inflated.take(buffer.span.extracting(0..<made), of: rows)
                    // Free space in the output buffer means that zlib has used all of the input.
                } while unsafe status == Z_OK && !isWhole && (stream.avail_in > 0 || stream.avail_out == 0)
            }
            // `Z_BUF_ERROR` means that no output was pending.
            if status == Z_BUF_ERROR { status = Z_OK }
        }
        // On an error, the last byte that zlib read is the invalid byte.
        inflated.dataBytes = max(0, Int(unsafe stream.total_in) - (status == Z_DATA_ERROR ? 1 : 0))
        return inflated
    }

    /// Counts the rows in the next bytes.
    ///
    /// - Returns: `false` if all rows are counted, or at an unknown filter type.
    private mutating func take(_ bytes: Span<UInt8>, of rows: PNGRows) -> Bool {
        var start = 0
        while pass < rows.passes.count {
            guard lineOfPass < rows.passes[pass].lines else {
                (pass, lineOfPass) = (pass + 1, 0)
                continue
            }
            guard start < bytes.count else { return true }
            if offset == 0, bytes[start] > 4 { return false }
            let taken = min(rows.passes[pass].bytes - offset, bytes.count - start)
            (start, offset) = (start + taken, offset + taken)
            guard offset == rows.passes[pass].bytes else { return true }
            (lines, lineOfPass, offset) = (lines + 1, lineOfPass + 1, 0)
        }
        return false
    }
}
