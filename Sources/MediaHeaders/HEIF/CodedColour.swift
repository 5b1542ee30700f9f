/// How sample values stand for colours, in the code points of ITU-T H.273.
package struct CodedColour: Sendable, Equatable {
    package var primaries: Int
    package var transfer: Int
    package var matrix: Int
    /// Whether samples use all values of their bits.
    package var isFullRange: Bool

    package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
