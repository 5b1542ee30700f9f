/// A table of at most 255 colours, as red, green and blue in 24 bits, and of their numbers.
struct ExactColours {
    static let most = 255
    private static let places = 1_024
    private static let none = UInt32.max

    private var keys = [UInt32](repeating: Self.none, count: Self.places)
    private var numbers = [UInt8](repeating: 0, count: Self.places)
    /// The colours in the order in which they came.
    private(set) var colours: [UInt32] = []
    /// Whether there were more than fit.
    private(set) var isFull = false

    mutating func add(_ colour: UInt32) {
        guard !isFull else { return }
        let place = place(of: colour)
        guard keys[place] != colour else { return }
        guard colours.count < Self.most else {
            isFull = true
            return
        }
        keys[place] = colour
        numbers[place] = UInt8(colours.count)
        colours.append(colour)
    }

    /// Returns the number of a colour, or `nil` if it was never added.
    func number(of colour: UInt32) -> UInt8? {
        let place = place(of: colour)
        return keys[place] == colour ? numbers[place] : nil
    }

    /// The place that holds the colour, or that is free for it. A quarter of the places is used at most.
    private func place(of colour: UInt32) -> Int {
        var place = Int(truncatingIfNeeded: (colour &* 0x9E37_79B1) >> 22)
        while keys[place] != colour, keys[place] != Self.none { place = (place + 1) % Self.places }
        return place
    }
}
