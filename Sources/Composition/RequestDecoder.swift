import FoundationEssentials
import JSON
package import NotificationModel
package import NotificationProcessor
import Primitives
package import ServiceConfiguration

/// The decoder of requests with the current defaults of the configuration, which a reload changes.
package final class RequestDecoder: RequestDecoding {
    private let pipeline: NotificationPipeline
    private let reader: Guarded<EnvelopeReader>
    /// The groups that the daemon serves; `nil` if it serves all groups.
    private let groups: Set<AppGroupName>?

    package init(_ configuration: Configuration, _ rules: PayloadRules, for pipeline: NotificationPipeline) {
        self.pipeline = pipeline
        reader = Guarded(Self.reader(configuration, rules))
        let listed = configuration.groups.compactMap { AppGroupName($0) }
        groups = listed.isEmpty ? nil : Set(listed).union([.default])
    }

    package func change(_ configuration: Configuration, _ rules: PayloadRules) {
        reader.withLock { $0 = Self.reader(configuration, rules) }
    }

    package func decode(_ submission: Submission) async throws(EnvelopeError) -> any PlannedNotification {
        let (request, error) = reader.withLock(\.self).request(from: submission)
        if let error { throw error }
        if let groups, !groups.contains(request.appGroup) {
            throw EnvelopeError(key: "appGroup", problem: "\(request.appGroup) is not a group that this daemon serves")
        }
        return await pipeline.plan(request)
    }

    package func decode(
        _ entry: JournalEntry, at now: ClockReading, refusing refusal: MediaFailure?
    ) async -> any PlannedNotification {
        let object = (try? JSONParser.value(of: entry.body).object) ?? JSONObject()
        let age = Duration.seconds(max(0, now.date.timeIntervalSince(entry.receivedAt)))
        let received = ClockReading(instant: now.instant.advanced(by: .zero - age), date: entry.receivedAt)
        var (request, _) = reader.withLock(\.self).request(
            from: Submission(body: entry.body, object: object, channel: entry.channel, arrival: received))
        request.id = entry.key.id
        request.appGroup = entry.key.group
        let longestReserve = request.budget.longestReserve
        request.budget = TimeBudget(
            received: received.instant, length: .seconds(entry.deadline.timeIntervalSince(entry.receivedAt)))
        request.budget.longestReserve = longestReserve
        request.mediaRefusal = refusal
        return await pipeline.plan(request)
    }

    private static func reader(_ configuration: Configuration, _ rules: PayloadRules) -> EnvelopeReader {
        EnvelopeReader(defaults: RequestDefaults(configuration), dialects: rules.dialects)
    }
}

/// The current rules for payloads, which a reload changes.
package final class RulesInForce: Sendable {
    private let state: Guarded<PayloadRules>

    package init(_ rules: PayloadRules) { state = Guarded(rules) }

    package var value: PayloadRules { state.withLock(\.self) }

    package func change(_ rules: PayloadRules) { state.withLock { $0 = rules } }
}
