import TestSupport

extension LeakCensus {
    /// Descriptors that there are more of than before. Fewer there may be: an earlier test's server has closed its own
    /// meanwhile.
    func leaks(since before: LeakCensus) -> [String: Int] {
        descriptors.filter { $0.value > before.descriptors[$0.key, default: 0] }
    }
}
