import BenchReport
import TranscodeProtocol

/// A table row with the durations of the stages of one case, by the transcoder's own clock.
struct StageRow {
    static let head = ["what", "inspect", "decode", "scale", "encode", "all of it"]

    let cells: [String]

    /// - Parameter usages: The usage of one job in each round.
    init(_ name: String, _ usages: [JobUsage]) {
        let stages = TranscodeStage.Name.allCases.map { stage in
            Ratios(usages.map { Double($0.stages[stage] ?? 0) / 1e3 }).median.text
        }
        cells = [name] + stages + [Ratios(usages.map { Double($0.wall) / 1e6 }).median.text]
    }
}
