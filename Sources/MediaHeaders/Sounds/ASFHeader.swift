import MediaTypes

/// The header of Windows Media (Microsoft, "Advanced Systems Format (ASF) Specification", 3).
package enum ASFHeader {
    /// The maximum number of header objects that are read. A file has about ten.
    private static let mostObjects = 1_000

    /// The first four bytes of the identifiers of objects that describe an encryption.
    private static let encryptions: Set<Int> = [0xFBB3_1122, 0x14E6_8A29, 0x3385_0543]

    /// Checks that the file is not encrypted.
    ///
    /// - Throws: `unsupported` for a file with digital rights management, which a decoder would play as noise.
    package static func check(_ bytes: Span<UInt8>) throws(MediaHeaderError) {
        guard MediaFormat.asf.begins(bytes), let count = bytes.littleEndian32(at: 24) else { return }
        var offset = 30
        for _ in 0..<min(count, mostObjects) {
            guard let kind = bytes.bigEndian32(at: offset), let length = bytes.littleEndian32(at: offset + 16),
                length >= 24, bytes.littleEndian32(at: offset + 20) == 0
            else { return }
            if encryptions.contains(kind) { throw .unsupported("encrypted Windows Media") }
            offset += length
        }
    }
}
