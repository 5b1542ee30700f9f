/// How stored pixels have to be turned to stand upright: the EXIF orientation, 1…8 (EXIF 2.32, tag 0x0112).
package enum PictureOrientation: UInt8, Sendable, Equatable, CaseIterable {
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
    /// Reads the first directory only, at most 512 entries, and follows no other offset.
    package static func inExif(_ tiff: Span<UInt8>) -> PictureOrientation? {
        TIFFDirectory.firstDirectory(of: tiff)?
            .shortValue(of: 0x0112, in: tiff)
            .flatMap { UInt8(exactly: $0) }
            .flatMap { PictureOrientation(rawValue: $0) }
    }
}
