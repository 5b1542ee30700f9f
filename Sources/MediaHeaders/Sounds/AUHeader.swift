/// The header of Sun's format of sounds (Oracle, "Audio File Format", audio.h).
package enum AUHeader {
    /// The length of a file that was written before its length was known.
    private static let unknownLength = 0xFFFF_FFFF

    /// Checks the length that the header states: FFmpeg takes the end of the file for the end of the sound.
    ///
    /// - Throws: `truncated` for a file that is shorter.
    package static func check(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard bytes.code(at: 0) == ".snd", let start = bytes.bigEndian32(at: 4), let length = bytes.bigEndian32(at: 8)
        else { return }
        guard length == unknownLength || start + length <= bytes.count else { throw .truncated("the samples") }
    }
}
