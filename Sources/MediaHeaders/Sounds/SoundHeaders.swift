/// The header of Sun's audio format (Oracle, "Audio File Format", audio.h).
package enum AUHeader {
    /// The value of the length field if the program that wrote the header did not know the length yet.
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

/// An ID3 tag before a sound (id3.org, "ID3 tag version 2.4.0", 3.1).
package enum ID3Tag {
    /// Returns the number of bytes of the tag at the beginning of a file, with its header and its footer; `nil` if none
    /// exists.
    package static func byteCount(of head: Span<UInt8>) -> Int? {
        guard head.spells("ID3", at: 0), let flags = head.byte(at: 5), head.count >= 10 else { return nil }
        var length = 0
        for place in 6..<10 {
            guard head[place] < 0x80 else { return nil }
            length = length << 7 | Int(head[place])
        }
        return 10 + length + (flags & 0x10 == 0 ? 0 : 10)
    }
}

/// The length that a WAV states for its samples (Microsoft, "Multiple Channel Audio Data and WAVE Files").
package enum WAVLength {
    private static let mostChunks = 1_000
    /// The smallest length that may stand for an unknown one. A program that writes into a pipe states 0, the largest
    /// number of 31 or 32 bits, or a number just below it.
    private static let leastUnknown = 0x7FFF_0000

    /// Returns whether the header does not state the length of the sound. In this case, the samples reach to the end of
    /// the file.
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
