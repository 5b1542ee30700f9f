import FuzzBodies
import TestSupport
import Testing

/// Tests of the fuzz targets without libFuzzer: all inputs of the repository, and simple mutations of them.
@Suite struct CorpusReplayTests {
    private static let mutationCount = TestLength.rounds(2_000, short: 400)

    @Test(arguments: FuzzTarget.all)
    func `a fuzz target parses its corpus and its regressions without a crash`(_ target: FuzzTarget) throws {
        let inputs = try FuzzInputs(target)
        #expect(!inputs.corpus.isEmpty)
        for (name, bytes) in inputs.corpus + inputs.regressions { check(target, bytes, name) }
    }

    /// The seed is constant, so the number in a message identifies the mutation.
    @Test(arguments: FuzzTarget.all)
    func `a fuzz target parses mutations of its corpus without a crash`(_ target: FuzzTarget) throws {
        let inputs = try FuzzInputs(target)
        let seeds = inputs.corpus + inputs.regressions
        var generator = SeededGenerator(seed: 0xF022)
        for number in 0..<Self.mutationCount {
            let seed = try #require(seeds.randomElement(using: &generator))
            check(target, generator.mutate(seed.bytes), "mutation \(number), of \(seed.name)")
        }
    }

    @Test func `each directory of inputs belongs to a fuzz target`() throws {
        let names = FuzzTarget.all.map(\.name)
        #expect(try FuzzInputs.targets(in: "Corpus") == names.sorted())
        #expect(Set(try FuzzInputs.targets(in: "Regressions")).isSubset(of: names))
    }

    private func check(_ target: FuzzTarget, _ bytes: [UInt8], _ input: String) {
        do throws(FuzzFinding) { try target.check(bytes) } catch {
            Issue.record("\(target), \(input): this does not hold: \(error)")
        }
    }
}
