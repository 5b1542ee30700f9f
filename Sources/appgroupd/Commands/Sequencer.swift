/// Puts what arrives in any order back into the order of its places: 0, 1, 2, …
///
/// The first thing that arrives for a place fills it; what arrives later for a place that is passed goes out at once.
struct Sequencer<Element> {
    private var nextPlace = 0
    private var early: [Int: [Element]] = [:]

    init() {}

    /// - Returns: what can go out now, in order.
    mutating func insert(_ element: Element, at place: Int) -> [Element] {
        guard place >= nextPlace else { return [element] }
        early[place, default: []].append(element)
        var ready: [Element] = []
        while let elements = early.removeValue(forKey: nextPlace) {
            ready += elements
            nextPlace += 1
        }
        return ready
    }
}
