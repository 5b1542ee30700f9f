import Foundation

/// Random numbers that follow from a seed (SplitMix64, Steele, Lea and Flood 2014), so that a failure can be
/// repeated.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// A generator with another seed in each run, which is printed: `TEST_SEED=N make test` repeats the run.
    package static func random() -> SeededGenerator { SeededGenerator(seed: runSeed) }

    private static let runSeed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap(UInt64.init)
        let seed = given ?? .random(in: 0 ... .max)
        print("TEST_SEED=\(seed)")
        return seed
    }()

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
