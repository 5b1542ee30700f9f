/// A hash table of at most 255 colors (red, green and blue in 24 bits) and of their palette indices.
struct ExactColors {
    static let most = 255
    private static let places = 1_024
    private static let none = UInt32.max

    private var keys = [UInt32](repeating: Self.none, count: Self.places)
    private var numbers = [UInt8](repeating: 0, count: Self.places)
    /// The colors in the order in which they were added.
    private(set) var colors: [UInt32] = []
    /// Whether a color was rejected because the table is full.
    private(set) var isFull = false

    mutating func add(_ color: UInt32) {
        guard !isFull else { return }
        let place = place(of: color)
        guard keys[place] != color else { return }
        guard colors.count < Self.most else {
            isFull = true
            return
        }
        keys[place] = color
        numbers[place] = UInt8(colors.count)
        colors.append(color)
    }

    /// Returns the palette index of a color, or `nil` if it was not added.
    func number(of color: UInt32) -> UInt8? {
        let place = place(of: color)
        return keys[place] == color ? numbers[place] : nil
    }

    /// Returns the slot that holds the color, or the free slot for it. At most a quarter of the slots is used, so that
    /// searches are short.
    private func place(of color: UInt32) -> Int {
        var place = Int(truncatingIfNeeded: (color &* 0x9E37_79B1) >> 22)
        while keys[place] != color, keys[place] != Self.none { place = (place + 1) % Self.places }
        return place
    }
}
