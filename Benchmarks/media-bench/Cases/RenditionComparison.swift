import Base
import BenchProcess
import BenchReport
import TranscodeProtocol

/// A comparison of one job with three renditions of an image to three jobs with one rendition each.
struct RenditionComparison {
    private static let sides = [1_024, 512, 256]

    let input: String
    let pace: Pace

    func rows(in directory: String) throws -> [ResultRow] {
        guard let format = try ImageComparison.format(of: input) else {
            throw BenchFailure("\(input) is not an image that the transcoder reads")
        }
        let together = try start(format, Self.sides, directory)
        let largest = try start(format, [Self.sides[0]], directory)
        let middle = try start(format, [Self.sides[1]], directory)
        let smallest = try start(format, [Self.sides[2]], directory)
        let jobs = try pace.jobs(warming: together)
        var pairs: [(together: Double, singly: Double)] = []
        for _ in 0..<pace.rounds {
            let all = try together.measure(jobs: jobs).processor
            var singly = try largest.measure(jobs: jobs).processor
            singly += try middle.measure(jobs: jobs).processor
            singly += try smallest.measure(jobs: jobs).processor
            pairs.append((Double(all) / 1e6, Double(singly) / 1e6))
        }
        _ = try together.end()
        _ = try largest.end()
        _ = try middle.end()
        _ = try smallest.end()
        let sides = Self.sides.map(String.init).joined(separator: ", ")
        return [
            ResultRow(
                what: "\(InputImage.baseline.words) → \(sides) in one job: processor time",
                ours: Ratios(pairs.map(\.together)).median.text + " ms",
                peers: Ratios(pairs.map(\.singly)).median.text + " ms in three jobs of ours",
                measured: Ratios(pairs.map { $0.together / $0.singly }), target: .most(0.45))
        ]
    }

    private func start(_ format: MediaFormat, _ sides: [Int], _ directory: String) throws -> WarmProcess {
        let outputs = "\(directory)/\(sides.count)-"
        let process = try WarmProcess(input: input, format: format, sides: sides, outputs: outputs)
        guard case .ready = try process.readiness() else { throw BenchFailure("the worker refuses \(input)") }
        return process
    }
}
