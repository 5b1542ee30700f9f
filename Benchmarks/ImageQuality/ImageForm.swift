/// The form of a requested rendition.
package struct ImageForm: Sendable, Equatable {
    /// The longest side, in pixels.
    package var side: Int
    /// Whether an image that is taller than 2:1 is cropped to its center.
    package var isCut: Bool
    package var maxBytes: Int

    package init(side: Int, isCut: Bool = false, maxBytes: Int) {
        self.side = side
        self.isCut = isCut
        self.maxBytes = maxBytes
    }

    /// Returns the width and height of the rendition of an image with this size.
    package func size(of width: Int, _ height: Int) -> (width: Int, height: Int) {
        let height = isCut ? min(height, max(1, width / 2)) : height
        let longest = max(width, height)
        guard longest > side else { return (width, height) }
        return (max(1, (width * side + longest / 2) / longest), max(1, (height * side + longest / 2) / longest))
    }
}
