import Foundation

/// The number of inputs that random tests and matrices try: a sample in `make test`, all in `make test-long`.
package enum TestLength {
    /// Whether all inputs are tried: `make test-long` and `make soak` set `APPGROUPD_LONG=1`.
    package static let isLong = ProcessInfo.processInfo.environment["APPGROUPD_LONG"] == "1"

    /// Returns the number of rounds of a random test.
    package static func rounds(_ all: Int, short: Int) -> Int { isLong ? all : short }
}

extension Collection {
    /// Returns all elements in a long run, and every `step`th element in a short one.
    package func sampled(every step: Int, from start: Int = 0) -> [Element] {
        TestLength.isLong ? Array(self) : enumerated().filter { $0.offset % step == start % step }.map(\.element)
    }
}
