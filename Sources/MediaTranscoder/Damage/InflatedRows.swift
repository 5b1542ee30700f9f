import CZlib
import Glibc
import TranscodeProtocol

/// How far the compressed data of a PNG can be decoded.
struct InflatedRows {
    /// Whole rows of the data: those of the picture, or of all passes of an interlaced one.
    private(set) var lines = 0
    /// Bytes of compressed data that bring these rows, and that no decoder finds damage in.
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
        var room = [UInt8](repeating: 0, count: 65_536)
        var status = Z_OK
        var isWhole = false
        for range in data where status == Z_OK && !isWhole {
            let input = bytes.extracting(range)
            unsafe input.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(clamping: input.count)
                repeat {
                    var made = 0
                    unsafe room.withUnsafeMutableBufferPointer { output in
                        unsafe stream.next_out = output.baseAddress
                        unsafe stream.avail_out = UInt32(output.count)
                        status = unsafe inflate(&stream, Z_NO_FLUSH)
                        made = unsafe output.count - Int(stream.avail_out)
                    }
                    isWhole = !inflated.take(room.span.extracting(0..<made), of: rows)
                    // All of the input is read when there is room left.
                } while unsafe status == Z_OK && !isWhole && (stream.avail_in > 0 || stream.avail_out == 0)
            }
            // There was nothing left to write.
            if status == Z_BUF_ERROR { status = Z_OK }
        }
        // The last byte that was read is the one that is wrong.
        inflated.dataBytes = max(0, Int(unsafe stream.total_in) - (status == Z_DATA_ERROR ? 1 : 0))
        return inflated
    }

    /// Counts the rows in the next bytes.
    ///
    /// - Returns: `false` when all rows are there, or at a filter that there is not.
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
