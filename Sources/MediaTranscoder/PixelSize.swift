import MediaHeaders

/// Width and height in pixels, both at least 1.
struct PixelSize: Sendable, Equatable {
    var width: Int
    var height: Int

    init(_ width: Int, _ height: Int) {
        self.width = max(1, width)
        self.height = max(1, height)
    }

    var longestSide: Int { max(width, height) }
    var pixels: UInt64 { UInt64(width).multipliedReportingOverflow(by: UInt64(height)).partialValue }

    /// The smallest that neither of the two is larger than.
    func union(_ other: PixelSize) -> PixelSize {
        PixelSize(max(width, other.width), max(height, other.height))
    }

    /// The same picture after it is turned upright.
    func turned(_ orientation: ImageOrientation) -> PixelSize {
        orientation.swapsSides ? PixelSize(height, width) : self
    }

    /// The same shape with its longest side at most this long; never larger than it is.
    func fitting(longestSide most: Int) -> PixelSize {
        let longest = longestSide
        guard longest > most, most > 0 else { return self }
        return PixelSize((width * most + longest / 2) / longest, (height * most + longest / 2) / longest)
    }

    /// The next smaller size that 4:2:0 video can have; 2 at least.
    var even: PixelSize {
        PixelSize(max(2, width & ~1), max(2, height & ~1))
    }
}
