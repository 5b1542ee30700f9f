import BenchProcess
import Foundation

/// A generator of random numbers that follow from a seed, so that a failure can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
    private var generator: SplitMix

    package init(seed: UInt64) { generator = SplitMix(seed: seed) }

    /// Returns a generator with another seed in each run, which is printed. `TEST_SEED=N make test` repeats the run.
    package static func random() -> SeededGenerator { SeededGenerator(seed: runSeed) }

    private static let runSeed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap(UInt64.init)
        let seed = given ?? .random(in: 0 ... .max)
        print("TEST_SEED=\(seed)")
        return seed
    }()

    package mutating func next() -> UInt64 { generator.next() }
}
