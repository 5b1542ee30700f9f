import Base
import BenchProcess
import BenchReport
import TranscodeProtocol

/// A measurement of the cost of the worker's sandbox. The same process runs in turns with and without the sandbox.
struct SandboxComparison {
    private static let side = 512

    let input: String
    /// A small image that needs almost no time, for the measurement of starts.
    let small: String
    let pace: Pace

    func rows(in directory: String) throws -> [ResultRow] {
        [try thumbnails(in: directory), try starts(in: directory)]
    }

    private func thumbnails(in directory: String) throws -> ResultRow {
        let with = try start(input, isSandboxed: true, in: directory)
        let without = try start(input, isSandboxed: false, in: directory)
        let jobs = try pace.jobs(warming: with)
        _ = try without.measure(jobs: jobs)
        var pairs: [(with: Double, without: Double)] = []
        for _ in 0..<pace.rounds {
            let sandboxed = try with.measure(jobs: jobs).processor
            let plain = try without.measure(jobs: jobs).processor
            pairs.append((Double(sandboxed) / 1e6, Double(plain) / 1e6))
        }
        _ = try with.end()
        _ = try without.end()
        return ResultRow(
            what: "\(InputImage.photo.words) → \(Self.side), in the sandbox: processor time",
            ours: Ratios(pairs.map(\.with)).median.text + " ms",
            peers: Ratios(pairs.map(\.without)).median.text + " ms without it",
            measured: Ratios(pairs.map { $0.with / $0.without }), target: .most(1.07))
    }

    /// Measures the time from the start of the process to its first thumbnail.
    private func starts(in directory: String) throws -> ResultRow {
        var pairs: [(with: Double, without: Double)] = []
        for round in 0...pace.rounds {
            let sandboxed = try startTime(isSandboxed: true, in: directory)
            let plain = try startTime(isSandboxed: false, in: directory)
            if round > 0 { pairs.append((sandboxed, plain)) }
        }
        return ResultRow(
            what: "a worker's start, in the sandbox: milliseconds that it adds",
            ours: Ratios(pairs.map(\.with)).median.text + " ms",
            peers: Ratios(pairs.map(\.without)).median.text + " ms without it",
            measured: Ratios(pairs.map { $0.with - $0.without }), target: .most(2))
    }

    private func startTime(isSandboxed: Bool, in directory: String) throws -> Double {
        let start = ContinuousClock.now
        let process = try self.start(small, isSandboxed: isSandboxed, in: directory)
        let time = ContinuousClock.now - start
        _ = try process.end()
        return time / .milliseconds(1)
    }

    private func start(_ input: String, isSandboxed: Bool, in directory: String) throws -> WarmProcess {
        let process = try WarmProcess(
            input: input, format: .jpeg, sides: [Self.side], outputs: "\(directory)/sandbox-\(isSandboxed)-",
            isSandboxed: isSandboxed)
        guard case .ready = try process.readiness() else { throw BenchFailure("the worker refuses \(input)") }
        return process
    }
}
