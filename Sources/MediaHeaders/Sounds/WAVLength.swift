/// The length of the samples that a WAV states (Microsoft, "Multiple Channel Audio Data and WAVE Files").
package enum WAVLength {
    private static let mostChunks = 1_000
    /// The smallest length that may stand for an unknown one. A program that writes into a pipe states 0, the largest
    /// number of 31 or 32 bits, or a number just below it.
    private static let leastUnknown = 0x7FFF_0000

    /// Returns whether the writer of the file did not know its length. The samples reach to the end of the file then.
    ///
    /// RF64 has its length in another chunk and the largest number in this field, so the result is false for it.
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
