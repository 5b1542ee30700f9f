import CZlib
import Glibc
import TranscodeProtocol

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
        guard unsafe agd_inflate_init(&stream) == Z_OK else { throw FFmpegStatus.noMemory("PNG") }
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
