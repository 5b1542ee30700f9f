package import Primitives

/// Values by names that strangers choose, such as hosts. The most used names have a value each, and all other names
/// share one value, so that the number of values is bounded.
///
/// At most ``mostNamed`` names have a value of their own. A name gets a free place with its second use. If no place is
/// free, a name takes the place of the least used one only at the end of a ``window``, and only if all of this is true:
///
/// * The name was used in each of the last ``windowsToRise`` windows.
/// * Its count is at least twice the lowest count. Half of each count is forgotten at the end of a window.
/// * No other name rises at the end of the same window.
///
/// So a flood of names that are used once or twice takes no place from a name that is used all the time, and the names
/// change slowly. The waiting names are bounded too. If there are ``mostWaiting`` of them, a further name lowers the
/// counts of all by one, and the names without a count are removed (Misra and Gries, "Finding repeated elements", 1982).
package struct RankedNames<Value: Sendable>: Sendable {
    package static var mostNamed: Int { 50 }
    static var mostWaiting: Int { 256 }
    package static var window: Duration { .seconds(60) }
    static var windowsToRise: Int { 3 }

    private struct Named {
        var name: String
        var value: Value
        var count: Int
    }

    private struct Waiting {
        /// The number of uses, or less.
        var count = 1
        var isUsed = true
        /// The number of windows in a row in which the name was used.
        var windows = 0
    }

    private let empty: Value
    private var named: [Named] = []
    private var places: [String: Int] = [:]
    private var waiting: [String: Waiting] = [:]
    private var windowEnd: MonotonicInstant?
    /// The value of all names without a value of their own.
    package private(set) var others: Value
    /// The number of uses of names without a value of their own.
    package private(set) var foldedUses = 0

    /// - Parameter empty: The value of a name before its first use.
    package init(empty: Value) {
        self.empty = empty
        others = empty
    }

    /// The names with values of their own, sorted by name.
    package var values: [(name: String, value: Value)] {
        named.map { ($0.name, $0.value) }.sorted { $0.name < $1.name }
    }

    /// Notes a use of a name, and changes the name's value or that of all others.
    package mutating func use(_ name: String, at now: MonotonicInstant, _ change: (inout Value) -> Void) {
        endWindow(at: now)
        if let place = places[name] ?? freePlace(for: name) {
            named[place].count += 1
            change(&named[place].value)
        } else {
            foldedUses += 1
            change(&others)
        }
    }

    /// Notes a use of a name without a place.
    ///
    /// - Returns: The place that the name has from now on; `nil` if it has to wait.
    private mutating func freePlace(for name: String) -> Int? {
        if let known = waiting[name] {
            if named.count < Self.mostNamed {
                waiting[name] = nil
                places[name] = named.count
                named.append(Named(name: name, value: empty, count: known.count))
                return named.count - 1
            }
            waiting[name]?.count += 1
            waiting[name]?.isUsed = true
        } else if waiting.count < Self.mostWaiting {
            waiting[name] = Waiting()
        } else {
            waiting = waiting.compactMapValues { entry in
                var entry = entry
                entry.count -= 1
                return entry.count > 0 ? entry : nil
            }
        }
        return nil
    }

    private mutating func endWindow(at now: MonotonicInstant) {
        guard let end = windowEnd else {
            windowEnd = now + Self.window
            return
        }
        guard now >= end else { return }
        // The number of windows without a use, after the one that has ended.
        let unused = Int(end.duration(to: now) / Self.window)
        windowEnd = end + Self.window * (unused + 1)
        for (name, entry) in waiting {
            waiting[name]?.windows = entry.isUsed ? entry.windows + 1 : 0
            waiting[name]?.isUsed = false
        }
        if unused == 0 { raise() }
        let shift = unused + 1
        for place in named.indices { named[place].count >>= shift }
        waiting = waiting.compactMapValues { entry in
            var entry = entry
            entry.count >>= shift
            if unused > 0 { entry.windows = 0 }
            return entry.count > 0 ? entry : nil
        }
    }

    /// Gives the place of the least used name to the most used waiting name, if the latter has risen.
    private mutating func raise() {
        let risen = waiting.filter { $0.value.windows >= Self.windowsToRise }
        guard let best = risen.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }),
            let place = named.indices.min(by: { named[$0].count < named[$1].count }),
            best.value.count >= 2 * max(1, named[place].count)
        else { return }
        places[named[place].name] = nil
        places[best.key] = place
        named[place] = Named(name: best.key, value: empty, count: best.value.count)
        waiting[best.key] = nil
    }
}
