/// A part of an upright picture, in millionths of its sides from the upper left corner.
package struct ClipRect: Sendable, Equatable {
    package static let whole: UInt32 = 1_000_000

    package var x: UInt32
    package var y: UInt32
    package var width: UInt32
    package var height: UInt32

    package init(x: UInt32, y: UInt32, width: UInt32, height: UInt32) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
