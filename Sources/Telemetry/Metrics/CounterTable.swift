import CoreMetrics
import Primitives

/// The counters of one metric by a key, from which their labels follow. A counter is created at its first use, so that
/// labels are made once and not for each event. The program chooses the keys, so they are few.
package final class CounterTable<Key: Hashable & Sendable>: Sendable {
    private let name: String
    private let labels: @Sendable (Key) -> [(String, String)]
    private let counters = Guarded<[Key: Counter]>([:])

    package init(_ name: String, labels: @escaping @Sendable (Key) -> [(String, String)]) {
        self.name = name
        self.labels = labels
    }

    package func increment(_ key: Key) { counter(key).increment() }

    private func counter(_ key: Key) -> Counter {
        counters.withLock { counters in
            if let counter = counters[key] { return counter }
            let counter = Counter(label: name, dimensions: labels(key))
            counters[key] = counter
            return counter
        }
    }
}
