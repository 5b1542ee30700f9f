package import Base

/// The EXIF orientation, 1…8 (EXIF 2.32, tag 0x0112): the turn and the mirror that show stored pixels upright.
package enum ImageOrientation: UInt8, Sendable, Equatable, CaseIterable {
    case upright = 1
    case mirrored
    case turnedHalf
    case flipped
    case transposed
    /// The image is shown after a quarter turn clockwise. A phone that is held upright writes this orientation.
    case turnedRight
    case transversed
    /// The image is shown after a quarter turn counterclockwise.
    case turnedLeft

    /// Whether width and height are exchanged.
    package var swapsSides: Bool { rawValue >= 5 }

    /// Returns the orientation in an EXIF block, a TIFF file whose first directory has the tag; `nil` if it has none.
    ///
    /// EXIF stores the tag as a short, but some writers store a long. Some writers also put JPEG's "Exif" prefix before
    /// the block in PNG and WebP. Image viewers accept both variants, too. At most 512 entries are read.
    package static func inExif(_ block: Span<UInt8>) -> ImageOrientation? {
        let tiff = block.extracting((block.spells("Exif\0\0", at: 0) ? 6 : 0)..<block.count)
        return TIFFDirectory.firstDirectory(of: tiff)?
            .number(of: 0x0112, in: tiff)
            .flatMap { UInt8(exactly: $0) }
            .flatMap { ImageOrientation(rawValue: $0) }
    }
}

extension PixelSize {
    /// Returns the size of the same image after its orientation is applied.
    package func turned(_ orientation: ImageOrientation) -> PixelSize {
        orientation.swapsSides ? PixelSize(width: height, height: width) : self
    }
}

extension ImageOrientation {
    /// Returns the orientation that has the same effect as this orientation followed by another.
    package func then(_ next: ImageOrientation) -> ImageOrientation {
        // A transposition after two mirrors exchanges these mirrors.
        let across = (next.swapsSides ? mirrorsDown : mirrorsAcross) != next.mirrorsAcross
        let down = (next.swapsSides ? mirrorsAcross : mirrorsDown) != next.mirrorsDown
        let swaps = swapsSides != next.swapsSides
        let both = Self.allCases.first { ($0.swapsSides, $0.mirrorsAcross, $0.mirrorsDown) == (swaps, across, down) }
        return both ?? .upright
    }

    /// Whether left and right are exchanged, after the transposition if there is one.
    package var mirrorsAcross: Bool {
        switch self {
        case .mirrored, .turnedHalf, .turnedRight, .transversed: true
        case .upright, .flipped, .transposed, .turnedLeft: false
        }
    }

    /// Whether top and bottom are exchanged, after the transposition if there is one.
    package var mirrorsDown: Bool {
        switch self {
        case .turnedHalf, .flipped, .transversed, .turnedLeft: true
        case .upright, .mirrored, .transposed, .turnedRight: false
        }
    }
}
