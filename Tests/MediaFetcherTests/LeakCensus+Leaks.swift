import TestSupport

extension LeakCensus {
    /// Returns the kinds of descriptors of which there are more than before, with the additional number of each kind. A
    /// smaller number is no fault, because the server of an earlier test may have closed its descriptors.
    func leaks(since before: LeakCensus) -> [String: Int] {
        var more = descriptors
        for (kind, count) in before.descriptors { more[kind, default: 0] -= count }
        return more.filter { $0.value > 0 }
    }
}
