/// The position of an MP4's index, if the first bytes of the file state it (ISO 14496-12, 4.2 and 6.3.4).
package enum MP4Layout {
    /// Returns the offset of the first byte after the media data; `nil` if the index is before them, or for no MP4.
    ///
    /// - Parameter bytes: The beginning of a file. About 100 bytes are enough.
    package static func offsetOfTail(_ bytes: Span<UInt8>) -> Int? {
        guard ["ftyp", "wide", "mdat"].contains(bytes.code(at: 4)) else { return nil }
        var offset = 0
        // Before the media data there is a file type box, and free space in some files.
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

    /// The number of bytes of the longest box header.
    package static let headerBytes = 16

    /// The size and the kind of a box, as its header states them.
    package struct Box: Equatable {
        /// The number of bytes of the box, with its header; `nil` if the box reaches to the end of the file.
        package var size: Int?
        /// Whether the box is the index of the whole video or of one fragment.
        package var isIndex: Bool
    }

    /// Reads the box header at the beginning of the bytes.
    ///
    /// - Returns: `nil` if the bytes have no complete header, or an invalid one.
    package static func box(_ bytes: Span<UInt8>) -> Box? {
        guard let type = bytes.code(at: 4), let size = size(bytes, at: 0), size == 0 || size >= 8 else { return nil }
        return Box(size: size == 0 ? nil : size, isIndex: type == "moov" || type == "moof")
    }

    /// Returns the size of a box. The size has 64 bits if the first 32 have the value 1.
    private static func size(_ bytes: Span<UInt8>, at offset: Int) -> Int? {
        let size = bytes.bigEndian32(at: offset)
        guard size == 1 else { return size }
        return bytes.bigEndian64(at: offset + 8).flatMap { (0..<1 << 48).contains($0) ? $0 : nil }
    }
}
