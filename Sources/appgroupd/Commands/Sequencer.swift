/// Where a payload stands: the how many-th object of the how many-th file, both from 0.
struct PayloadPlace: Hashable {
    var file: Int
    var object: Int
}

/// Puts what arrives in any order back into the order of its places.
///
/// The first thing that arrives for a place fills it; what arrives later for a place that is passed goes out at once. A
/// file is passed when it is known how many objects it holds and all of them have gone out.
struct Sequencer<Element> {
    private var next = PayloadPlace(file: 0, object: 0)
    private var early: [PayloadPlace: [Element]] = [:]
    private var counts: [Int: Int] = [:]

    init() {}

    /// Files of which everything has gone out.
    var passedFiles: Int { next.file }

    /// - Returns: what can go out now, in order.
    mutating func insert(_ element: Element, at place: PayloadPlace) -> [Element] {
        guard (place.file, place.object) >= (next.file, next.object) else { return [element] }
        early[place, default: []].append(element)
        return takeReady()
    }

    /// Nothing more comes from a file but its first `count` objects.
    mutating func end(file: Int, count: Int) -> [Element] {
        counts[file] = count
        return takeReady()
    }

    /// What waits for places that nothing arrived for, in order. Called when nothing more arrives.
    mutating func takeRest() -> [Element] {
        defer { early = [:] }
        return early.sorted { ($0.key.file, $0.key.object) < ($1.key.file, $1.key.object) }.flatMap(\.value)
    }

    private mutating func takeReady() -> [Element] {
        var ready: [Element] = []
        while true {
            if let elements = early.removeValue(forKey: next) {
                ready += elements
                next.object += 1
            } else if counts[next.file] == next.object {
                next = PayloadPlace(file: next.file + 1, object: 0)
            } else {
                return ready
            }
        }
    }
}
