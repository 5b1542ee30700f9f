import Base

/// The header of Sun's audio format (Oracle, "Audio File Format", audio.h).
package enum AUHeader {
    /// The value of the length field if the program that wrote the header did not know the length yet.
    private static let unknownLength = 0xFFFF_FFFF

    /// Checks that the file is as long as its header states. FFmpeg would take an early end for that of the sound.
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
    /// Returns the number of bytes of the tag at a file's beginning, with its header and footer; `nil` if none exists.
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
    private static let maxChunks = 1_000
    /// The smallest length that may stand for an unknown one. A program that writes into a pipe states 0, the largest
    /// number of 31 or 32 bits, or a number just below it.
    private static let minUnknown = 0x7FFF_0000

    /// Returns whether the header does not state the length of the sound, which then reaches to the end of the file.
    ///
    /// RF64 has its length in another chunk and the largest number in this field, so the result is false for it.
    package static func isUnknown(in bytes: Span<UInt8>) -> Bool {
        guard bytes.code(at: 0) == "RIFF" else { return false }
        var offset = 12
        for _ in 0..<maxChunks {
            guard let name = bytes.code(at: offset), let length = bytes.littleEndian32(at: offset + 4) else {
                return false
            }
            if name == "data" { return length == 0 || length >= minUnknown && offset + 8 + length > bytes.count }
            offset += 8 + length + length % 2
        }
        return false
    }
}

/// The header of Windows Media (Microsoft, "Advanced Systems Format (ASF) Specification", 3).
package enum ASFHeader {
    /// The maximum number of header objects that are read. A file has about ten.
    private static let maxObjects = 1_000

    /// The first four bytes of the identifiers of objects that describe an encryption.
    private static let encryptions: Set<Int> = [0xFBB3_1122, 0x14E6_8A29, 0x3385_0543]

    /// Checks that the file is not encrypted.
    ///
    /// - Throws: `unsupported` for a file with digital rights management, which a decoder would play as noise.
    package static func check(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard MediaFormat.asf.begins(bytes), let count = bytes.littleEndian32(at: 24) else { return }
        var offset = 30
        for _ in 0..<min(count, maxObjects) {
            guard let kind = bytes.bigEndian32(at: offset), let length = bytes.littleEndian32(at: offset + 16),
                length >= 24, bytes.littleEndian32(at: offset + 20) == 0
            else { return }
            if encryptions.contains(kind) { throw .unsupported("encrypted Windows Media") }
            offset += length
        }
    }
}

/// The facts in the chunks of a Core Audio file (Apple, "Core Audio Format Specification 1.0").
package struct CAFHeader {
    /// The number of packets that the packet tables state.
    package private(set) var packetCount = 0
    /// Whether the header does not state the length of the sound, which then reaches to the end of the file.
    package private(set) var isLengthUnknown = false

    private static let maxChunks = 1_000
    /// The maximum number of packets. A demuxer stores an entry for each. Ten minutes of 2.5 ms each have 240,000.
    private static let maxPackets = 500_000

    /// Walks the chunks. The walk ends at a damaged chunk without an error, because the demuxer reports the damage.
    ///
    /// - Throws: `wrongFormat`; `excessive` for more packets than a demuxer can hold.
    package init(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard bytes.code(at: 0) == "caff" else { throw .wrongFormat }
        var offset = 8
        for _ in 0..<Self.maxChunks {
            guard let name = bytes.code(at: offset), let length = bytes.bigEndian64(at: offset + 4) else { return }
            let body = offset + 12
            switch name {
            case "pakt":
                packetCount = packetCount.addedOrMax(max(0, bytes.bigEndian64(at: body) ?? 0))
                guard packetCount <= Self.maxPackets else { throw .excessive("CAF packets") }
            case "data": isLengthUnknown = length == -1
            default: break
            }
            guard length >= 0, length <= bytes.count - body else { return }
            offset = body + length
        }
    }
}
