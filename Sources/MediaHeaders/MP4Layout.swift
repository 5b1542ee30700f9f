/// The place of an MP4's index, as far as its first bytes tell (ISO 14496-12, 4.2 and 6.3.4).
package enum MP4Layout {
    /// The offset of the first byte behind the media data; `nil` if the index is before them, or if this is no MP4.
    ///
    /// - Parameter bytes: of the beginning of a file, some 100 are enough.
    package static func offsetOfTail(_ bytes: Span<UInt8>) -> Int? {
        guard ["ftyp", "wide", "mdat"].contains(bytes.code(at: 4)) else { return nil }
        var offset = 0
        // A file type, and free space.
        for _ in 0..<16 {
            guard let type = bytes.code(at: offset + 4), let size = size(bytes, at: offset), size >= 8 else {
                return nil
            }
            if type == "moov" || type == "moof" { return nil }
            let (end, isTooLarge) = offset.addingReportingOverflow(size)
            guard !isTooLarge else { return nil }
            if type == "mdat" { return end }
            offset = end
        }
        return nil
    }

    /// Bytes of the longest header of a box.
    package static let headerBytes = 16

    /// The size and the kind of a box, by its header.
    package struct Box: Equatable {
        /// Bytes of the box with its header; `nil`: up to the end of the file.
        package var size: Int?
        /// The box is an index: of the whole film, or of one fragment.
        package var isIndex: Bool
    }

    /// Reads the header at the beginning of the bytes.
    ///
    /// - Returns: `nil` if there is no header, or not all of it.
    package static func box(_ bytes: Span<UInt8>) -> Box? {
        guard let type = bytes.code(at: 4), let size = size(bytes, at: 0), size == 0 || size >= 8 else { return nil }
        return Box(size: size == 0 ? nil : size, isIndex: type == "moov" || type == "moof")
    }

    /// The size of a box, which is 64 bits wide where the first 32 say 1.
    private static func size(_ bytes: Span<UInt8>, at offset: Int) -> Int? {
        guard let size = bytes.bigEndian32(at: offset), size == 1 else { return bytes.bigEndian32(at: offset) }
        guard let high = bytes.bigEndian32(at: offset + 8), let low = bytes.bigEndian32(at: offset + 12) else {
            return nil
        }
        return high < 1 << 16 ? high << 32 | low : nil
    }
}
