/// How stored pixels have to be turned to stand upright: the EXIF orientation, 1…8 (EXIF 2.32, tag 0x0112).
package enum ImageOrientation: UInt8, Sendable, Equatable, CaseIterable {
    case upright = 1
    case mirrored
    case turnedHalf
    case flipped
    case transposed
    /// Turn a quarter clockwise to show it: a phone held upright.
    case turnedRight
    case transversed
    /// Turn a quarter counter-clockwise to show it.
    case turnedLeft

    /// Whether width and height change places.
    package var swapsSides: Bool {
        rawValue >= 5
    }

    /// The orientation in an EXIF block (a TIFF file whose first directory has the tag), or `nil` when it has none.
    ///
    /// Some writers make a long of it where EXIF has a short, and some put JPEG's "Exif" prefix before the block in PNG and
    /// WebP too; what opens pictures reads both. Reads the first directory only, at most 512 entries.
    package static func inExif(_ block: Span<UInt8>) -> ImageOrientation? {
        let tiff = block.extracting((block.spells("Exif\0\0", at: 0) ? 6 : 0)..<block.count)
        return TIFFDirectory.firstDirectory(of: tiff)?
            .number(of: 0x0112, in: tiff)
            .flatMap { UInt8(exactly: $0) }
            .flatMap { ImageOrientation(rawValue: $0) }
    }
}
