import MediaHeaders

/// A width and a height in pixels, both at least 1.
struct PixelSize: Sendable, Equatable {
    var width: Int
    var height: Int

    init(_ width: Int, _ height: Int) {
        self.width = max(1, width)
        self.height = max(1, height)
    }

    var longestSide: Int { max(width, height) }
    var pixels: UInt64 { UInt64(width).multipliedReportingOverflow(by: UInt64(height)).partialValue }

    /// Returns the smallest size that contains both sizes.
    func union(_ other: PixelSize) -> PixelSize {
        PixelSize(max(width, other.width), max(height, other.height))
    }

    /// Returns the size of the same image after its orientation is applied.
    func turned(_ orientation: ImageOrientation) -> PixelSize {
        orientation.swapsSides ? PixelSize(height, width) : self
    }

    /// Returns a size of the same shape whose longest side is at most `most`. It is never larger than this size.
    func fitting(longestSide most: Int) -> PixelSize {
        let longest = longestSide
        guard longest > most, most > 0 else { return self }
        return PixelSize((width * most + longest / 2) / longest, (height * most + longest / 2) / longest)
    }

    /// The largest size with even sides that fits into this one, as 4:2:0 video needs. Each side has at least 2 pixels.
    var even: PixelSize {
        PixelSize(max(2, width & ~1), max(2, height & ~1))
    }
}
