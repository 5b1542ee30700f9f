import Base
import FeatureKit
import NotificationModel
import NotificationProcessor
import PayloadLint
import ServiceConfiguration

/// The planner of batches, which lints each line and looks up its media in the stores.
struct BatchPlanner: BatchPlanning {
    let runtime: Runtime
    let configuration: CurrentConfiguration
    let clock: any RequestClock

    var workers: Int { configuration.value.workers }

    func plan(_ submission: Submission, linted isLinted: Bool) async throws(EnvelopeError) -> PlannedLine {
        let request = try runtime.pipeline.request(of: submission)
        let needs = await runtime.pipeline.needs(of: request).map { needed in
            MediaNeed(
                url: needed.url, profile: request.profile.name, group: request.appGroup, place: .init(needed.place),
                refusal: needed.refusal?.reason)
        }
        return PlannedLine(
            findings: isLinted ? findings(of: submission.object, in: request.appGroup) : [], media: needs)
    }

    /// Returns what the linter finds in an envelope or a payload for an app group.
    private func findings(of object: JSONObject, in group: AppGroupName) -> [JSONValue] {
        let current = configuration.value
        let rules = runtime.pipeline.rules(for: group)
        let linter = PayloadLinter(
            dialects: rules.dialects, date: clock.date, allowed: current.fetch.allowedRanges, locator: rules.locator,
            ignored: Set(current.lint.ignore))
        return linter.lint(LintFile(name: "", bytes: JSONWriter.bytes(of: .object(object)))).map { finding in
            [
                "rule": .string(finding.rule), "severity": .string(finding.severity.rawValue),
                "pointer": .string(finding.pointer), "message": .string(finding.message), "fix": .string(finding.fix),
            ]
        }
    }

    func fetch(_ submission: Submission) async -> [FetchedNeed] {
        guard let request = try? runtime.pipeline.request(of: submission) else { return [] }
        return await runtime.pipeline.warm(request, keepUntil: nil)
            .filter { $0.failure?.reason != .otherProfile }
            .map { warmed in
                FetchedNeed(
                    url: warmed.url, sourceByteCount: warmed.result.attachment?.sourceByteCount ?? 0,
                    failure: warmed.failure?.reason)
            }
    }
}

extension MediaNeed.Place {
    fileprivate init(_ place: NeededMedia.Place) {
        self =
            switch place {
            case .container: .container
            case .cache: .cache
            case .origin: .origin
            }
    }
}
