import Base
import FoundationEssentials
import NotificationModel
import TestSupport

@testable import Features

/// A coordinator that accepts submissions, and emits them when the test wants it.
final class FakeIntake: RequestIntake {
    private struct State {
        var submissions: [Submission] = []
        var keys: Set<RequestKey> = []
        var emitted: [RequestKey: EmittedContent] = [:]
        var waiting: [RequestKey: [Waiter<EmittedContent?>]] = [:]
        var cancelled: [RequestKey] = []
        var left = 0
        var holds = false
    }

    private let state = Guarded(State())
    private let refusal: @Sendable (Submission) -> Admission?

    /// - Parameter holds: Whether requests wait until `emitAll`.
    /// - Parameter refusal: The answer to a submission that is not accepted; `nil` if it is accepted.
    init(holds: Bool = false, refusal: @escaping @Sendable (Submission) -> Admission? = { _ in nil }) {
        self.refusal = refusal
        state.withLock { $0.holds = holds }
    }

    static func key(of submission: Submission) -> RequestKey {
        let id = submission.object["id"]?.string.flatMap(RequestID.init) ?? submission.id ?? submission.weakID
        return RequestKey(group: .default, id: id ?? .new(millisecondsSince1970: 0))
    }

    static func content(of key: RequestKey, _ outcome: Outcome = .rich) -> EmittedContent {
        EmittedContent(
            key: key, outcome: outcome, reason: nil,
            json: Array(#"{"id":"\#(key.id)","outcome":"\#(outcome.rawValue)"}"#.utf8))
    }

    var submissions: [Submission] { state.withLock(\.submissions) }
    var cancelled: [RequestKey] { state.withLock(\.cancelled) }
    /// The number of waits that ended because their task was cancelled.
    var left: Int { state.withLock(\.left) }

    /// Emits all waiting requests, and each later one at once.
    func emitAll() {
        let waiting = state.withLock { state in
            state.holds = false
            defer { state.waiting = [:] }
            return state.waiting
        }
        for (key, waiters) in waiting { for waiter in waiters { waiter.resume(returning: Self.content(of: key)) } }
    }

    func submit(_ submission: Submission) async -> Admission {
        if let refusal = refusal(submission) { return refusal }
        let key = Self.key(of: submission)
        return state.withLock { state in
            state.submissions.append(submission)
            return state.keys.insert(key).inserted ? .accepted(key) : .joined(key)
        }
    }

    func content(of key: RequestKey) async -> EmittedContent? {
        let waiter = Waiter<EmittedContent?>()
        let ready: EmittedContent? = state.withLock { state in
            if let emitted = state.emitted[key] { return emitted }
            guard state.holds else { return Self.content(of: key) }
            state.waiting[key, default: []].append(waiter)
            return nil
        }
        if let ready { return ready }
        return await waiter.value { [self] waiter in
            state.withLock { $0.left += 1 }
            waiter.resume(returning: nil)
        }
    }

    func cancel(_ key: RequestKey) async -> CancelAnswer {
        let content = Self.content(of: key, .cancelled)
        let waiting = state.withLock { state in
            state.cancelled.append(key)
            state.emitted[key] = content
            return state.waiting.removeValue(forKey: key) ?? []
        }
        for waiter in waiting { waiter.resume(returning: content) }
        return .cancelled
    }

    func keepUndelivered(_ key: RequestKey) {}
    func state(of key: RequestKey) async -> RequestState? { nil }
    func cancel(providerID: String, in group: AppGroupName?) async -> [RequestKey] { [] }
    func subscribe(after id: String?) -> EventSubscription {
        EventSubscription(events: AsyncStream { $0.finish() }, isWhole: id == nil)
    }
    var load: RequestLoad { RequestLoad(running: 0, queued: 0, accepted: 0, emitted: [:]) }
}

/// A store of templates that keeps them in memory, under one name.
struct FakeTemplates: TemplateStoring {
    let stored = Record<[UInt8]>()

    func store(_ template: [UInt8]) async -> SharedTemplate? {
        stored.append(template)
        return SharedTemplate(name: "template", bytes: template, digest: [1])
    }
}

/// A planner for which each line needs the media that its payload lists.
struct FakePlanner: BatchPlanning {
    let fetched = Record<String>()
    let workers = 2

    func plan(_ submission: Submission, linted isLinted: Bool) async throws(EnvelopeError) -> PlannedLine {
        PlannedLine(
            findings: isLinted ? ["finding"] : [],
            media: Self.urls(submission).map {
                MediaNeed(url: $0, profile: "ios", group: .default, place: $0.hasPrefix("c") ? .cache : .origin)
            })
    }

    func fetch(_ submission: Submission) async -> [FetchedNeed] {
        Self.urls(submission).map { url in
            fetched.append(url)
            return FetchedNeed(
                url: url, sourceByteCount: 100, failure: url.hasSuffix("!") ? .httpStatus : nil)
        }
    }

    private static func urls(_ submission: Submission) -> [String] {
        submission.object["media"]?.array?.compactMap(\.string) ?? []
    }
}
