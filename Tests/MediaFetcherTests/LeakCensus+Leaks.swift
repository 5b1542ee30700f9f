import TestSupport

extension LeakCensus {
    /// Of which descriptors there are more than before, and how many more. Fewer there may be: an earlier test's server has
    /// closed its own meanwhile.
    func leaks(since before: LeakCensus) -> [String: Int] {
        var more = descriptors
        for (kind, count) in before.descriptors { more[kind, default: 0] -= count }
        return more.filter { $0.value > 0 }
    }
}
