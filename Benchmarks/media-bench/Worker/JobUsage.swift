import TranscodeProtocol

/// The resources that some jobs have used one after the other.
struct JobUsage: Sendable {
    /// The processor time in user and system mode, of all threads, in nanoseconds.
    var processor = 0
    /// The elapsed time, in nanoseconds.
    var wall = 0
    /// The size of all outputs of the last job, in bytes.
    var bytes = 0
    /// The durations of the stages in microseconds, by the transcoder's own clock; empty for a peer.
    var stages: [TranscodeStage.Name: Int] = [:]

    init() {}

    /// - Parameter text: The text `processor wall bytes`, followed by the stages in their order if there are any.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count >= 3 else { return nil }
        (processor, wall, bytes) = (numbers[0], numbers[1], numbers[2])
        stages = Dictionary(zip(TranscodeStage.Name.allCases, numbers.dropFirst(3))) { first, _ in first }
    }

    var text: String {
        ([processor, wall, bytes] + TranscodeStage.Name.allCases.map { stages[$0] ?? 0 }).map(String.init)
            .joined(separator: " ")
    }

    /// Returns the usage of one of `jobs` jobs.
    func divided(by jobs: Int) -> JobUsage {
        var usage = self
        usage.processor /= jobs
        usage.wall /= jobs
        usage.stages = stages.mapValues { $0 / jobs }
        return usage
    }
}
