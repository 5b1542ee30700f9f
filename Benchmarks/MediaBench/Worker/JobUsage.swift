import TranscodeProtocol

/// What some jobs have used, one after the other.
struct JobUsage: Sendable {
    /// User and system, all threads, in nanoseconds.
    var processor = 0
    /// Nanoseconds.
    var wall = 0
    /// Of all outputs of the last job.
    var bytes = 0
    /// Microseconds, by the transcoder's own clock; none of a peer.
    var stages: [TranscodeStage.Name: Int] = [:]

    init() {}

    /// - Parameter text: `processor wall bytes`, followed by the stages in their order where there are some.
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

    /// Of one of so many jobs.
    func divided(by jobs: Int) -> JobUsage {
        var usage = self
        usage.processor /= jobs
        usage.wall /= jobs
        usage.stages = stages.mapValues { $0 / jobs }
        return usage
    }
}
