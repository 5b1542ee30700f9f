import Base
import FeatureKit
import NotificationModel

/// A bar for each stage of the slowest media item.
struct StageBars {
    private static let maxLength = 30
    /// The smallest share of the time, from 0 to 1, for which a stage is shown.
    private static let minShare = 0.01

    private struct Stage {
        var name: String
        var duration: Duration
    }

    private let stages: [Stage]

    init(of verdicts: [JSONValue]) {
        stages = verdicts.map { Self.summed(Self.stages(of: $0)) }.max { Self.total($0) < Self.total($1) } ?? []
    }

    private static func stages(of verdict: JSONValue) -> [Stage] {
        (verdict["stages"]?.array ?? []).map {
            Stage(name: $0["name"]?.string ?? "", duration: .microseconds(Int64(($0["ms"]?.double ?? 0) * 1_000)))
        }
    }

    /// Returns one stage for each name, with the sum of its times, in the order of the first occurrences.
    private static func summed(_ stages: [Stage]) -> [Stage] {
        stages.reduce(into: []) { sums, stage in
            if let index = sums.firstIndex(where: { $0.name == stage.name }) {
                sums[index].duration += stage.duration
            } else {
                sums.append(stage)
            }
        }
    }

    private static func total(_ stages: [Stage]) -> Duration { stages.reduce(.zero) { $0 + $1.duration } }

    func lines(width: Int) -> [String] {
        let total = Self.total(stages)
        guard total > .milliseconds(1) else { return [] }
        let columns = max(8, min(Self.maxLength, width - WrappedText.margin - 22))
        return stages.compactMap { stage in
            let share = stage.duration / total
            guard share >= Self.minShare else { return nil }
            let bar = String(repeating: "█", count: max(1, Int((share * Double(columns)).rounded())))
            let name = VisibleText.of(stage.name).leftAligned(in: 10, least: 1)
            let time = HumanText.duration(stage.duration).leftAligned(in: 10, least: 1)
            return String(repeating: " ", count: WrappedText.margin) + name + time + bar
        }
    }
}
