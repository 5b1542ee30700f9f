/// The header of Sun's audio format (Oracle, "Audio File Format", audio.h).
package enum AUHeader {
    /// The length in a file whose writer did not know the length yet.
    private static let unknownLength = 0xFFFF_FFFF

    /// Checks that the file is as long as its header states. FFmpeg would take the end of a truncated file for the end
    /// of the sound.
    ///
    /// - Throws: `truncated` for a file that is shorter.
    package static func check(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard bytes.code(at: 0) == ".snd", let start = bytes.bigEndian32(at: 4), let length = bytes.bigEndian32(at: 8)
        else { return }
        guard length == unknownLength || start + length <= bytes.count else { throw .truncated("the samples") }
    }
}
