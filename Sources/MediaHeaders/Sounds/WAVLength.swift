/// The length that a WAV states of its samples (Microsoft, "Multiple Channel Audio Data and WAVE Files").
package enum WAVLength {
    private static let mostChunks = 1_000
    /// Programs that write into a pipe leave the length zero, or the largest number of 31 or 32 bits, or nearly that.
    private static let leastUnknown = 0x7FFF_0000

    /// Whether the file was written before its length was known. Its samples reach to the end of the file then. RF64 has the
    /// length elsewhere, and the largest number in its place.
    package static func isUnknown(in bytes: Span<UInt8>) -> Bool {
        guard bytes.code(at: 0) == "RIFF" else { return false }
        var offset = 12
        for _ in 0..<mostChunks {
            guard let name = bytes.code(at: offset), let length = bytes.littleEndian32(at: offset + 4) else {
                return false
            }
            if name == "data" { return length == 0 || length >= leastUnknown && offset + 8 + length > bytes.count }
            offset += 8 + length + length % 2
        }
        return false
    }
}
