/// The form that a rendition is ordered in.
package struct ImageForm: Sendable, Equatable {
    /// Pixels of the longest side, at most.
    package var side: Int
    /// Of a picture that is higher than 2:1, its centre of 2:1 is shown.
    package var isCut: Bool
    package var mostBytes: Int

    package init(side: Int, isCut: Bool = false, mostBytes: Int) {
        self.side = side
        self.isCut = isCut
        self.mostBytes = mostBytes
    }

    /// Width and height of what is made of a picture of this size.
    package func size(of width: Int, _ height: Int) -> (width: Int, height: Int) {
        let height = isCut ? min(height, max(1, width / 2)) : height
        let longest = max(width, height)
        guard longest > side else { return (width, height) }
        return (max(1, (width * side + longest / 2) / longest), max(1, (height * side + longest / 2) / longest))
    }
}
