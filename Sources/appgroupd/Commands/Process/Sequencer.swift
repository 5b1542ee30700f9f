/// The position of a payload: the index of its file, and the index of the object in this file, both from 0.
struct PayloadPlace: Hashable {
    var file: Int
    var object: Int
}

/// A buffer that returns elements in the order of their payloads, although they arrive in any order.
///
/// The first element for a payload waits until the elements of all earlier payloads have been returned. Further
/// elements for this payload are then returned at once. A file is complete when the number of its objects is known and
/// all their elements have been returned.
struct Sequencer<Element> {
    private var next = PayloadPlace(file: 0, object: 0)
    private var early: [PayloadPlace: [Element]] = [:]
    private var counts: [Int: Int] = [:]

    /// The number of files whose elements have all been returned.
    var passedFiles: Int { next.file }

    /// Adds an element that has arrived for the payload at a position.
    ///
    /// - Returns: The elements that are ready now, in order.
    mutating func insert(_ element: Element, at place: PayloadPlace) -> [Element] {
        guard (place.file, place.object) >= (next.file, next.object) else { return [element] }
        early[place, default: []].append(element)
        return takeReady()
    }

    /// Records that a file has exactly `count` objects, and returns the elements that are ready now. Later elements for
    /// these objects may still arrive.
    mutating func end(file: Int, count: Int) -> [Element] {
        counts[file] = count
        return takeReady()
    }

    /// Returns the elements that still wait for the element of an earlier payload, in order.
    mutating func takeRemaining() -> [Element] {
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
