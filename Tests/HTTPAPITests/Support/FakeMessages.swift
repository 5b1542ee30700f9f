import Base
import FoundationEssentials
import NotificationModel
import TestSupport

@testable import Features

/// Named messages in memory, which a test prepares. Some names have an answer of their own.
final class FakeMessages: MessageIntake {
    struct Put: Sendable {
        let submission: Submission
        let key: MessageKey
        let profiles: [MediaProfile]
        let expiry: MessageExpiry?
    }

    private struct State {
        var messages: [MessageKey: NamedMessage] = [:]
        var puts: [Put] = []
        var lastVersion = 0
        /// An event that is signalled at the end of the preparation of the last messages.
        var prepared = AsyncEvent()
    }

    private let state = Guarded(State())
    /// The messages for whose preparation a caller waits.
    let waits = Record<MessageKey>()

    static let content = Array(#"{"id":"message-1-ios","outcome":"rich"}"#.utf8)

    var puts: [Put] { state.withLock(\.puts) }

    func put(
        _ submission: Submission, as key: MessageKey, for profiles: [MediaProfile], until expiry: MessageExpiry?,
        if condition: VersionCondition
    ) async -> MessageAnswer {
        switch key.name.description {
        case "unusable": return .unusable(EnvelopeError(key: "budget", problem: "is long"))
        case "forbidden":
            var error = EnvelopeError(key: "appGroup", problem: "is not permitted")
            error.isForbidden = true
            return .unusable(error)
        case "expiry": return .wrongExpiry(latest: .seconds(60))
        case "full": return .full("The space for named messages is in use.")
        case "closing": return .closing
        case "failed": return .failed("/var/lib/secret is full")
        default: break
        }
        return state.withLock { state in
            let old = state.messages[key]
            guard condition.isMet(by: old?.version) else { return .otherVersion(old?.version) }
            state.lastVersion += 1
            state.prepared = AsyncEvent()
            state.puts.append(Put(submission: submission, key: key, profiles: profiles, expiry: expiry))
            let message = NamedMessage(
                key: key, version: state.lastVersion, updatedAt: Date(timeIntervalSince1970: 1_800_000_000),
                expiresAt: Date(timeIntervalSince1970: 1_800_086_400), byteCount: 2,
                preparations: (profiles.isEmpty ? [.ios] : profiles).map { .init(profile: $0, state: .preparing) })
            state.messages[key] = message
            return .stored(message, isNew: old == nil)
        }
    }

    func find(_ key: MessageKey) async -> MessageAnswer {
        state.withLock { $0.messages[key] }.map { .stored($0, isNew: false) } ?? .unknown
    }

    func content(of message: NamedMessage, for profile: MediaProfile) async -> EmittedContent? {
        guard case .prepared(let outcome, let reason)? = message.state(for: profile),
            let key = message.requestKey(for: profile)
        else { return nil }
        return EmittedContent(key: key, outcome: outcome, reason: reason, json: Self.content)
    }

    func messages(in group: AppGroupName) async -> [NamedMessage]? {
        state.withLock { state in state.messages.values.filter { $0.key.group == group } }
    }

    func recipients(of envelope: JSONObject, in group: AppGroupName) -> Set<String> {
        Set([envelope["recipient"]?.string].compactMap(\.self))
    }

    func envelope(of message: NamedMessage) async -> [UInt8]? {
        puts.last { $0.key == message.key }.map { JSONWriter.bytes(of: .object($0.submission.object)) }
    }

    func remove(_ key: MessageKey, if condition: VersionCondition) async -> MessageAnswer {
        state.withLock { state in
            let old = state.messages[key]
            guard condition.isMet(by: old?.version) else { return .otherVersion(old?.version) }
            return state.messages.removeValue(forKey: key) == nil ? .unknown : .removed
        }
    }

    func waitForPreparation(of key: MessageKey, until instant: MonotonicInstant, unless gone: AsyncEvent) async {
        let end = AsyncEvent()
        let signals = [state.withLock(\.prepared), gone].map { event in (event, event.whenSignalled { end.signal() }) }
        waits.append(key)
        await end.wait(until: instant, on: SystemClock())
        for (event, id) in signals { event.forget(id) }
    }

    /// Ends the preparation of all messages.
    func prepare(_ ending: NamedMessage.State = .prepared(.rich, nil)) {
        let prepared = state.withLock { state in
            for key in state.messages.keys {
                for index in state.messages[key]?.preparations.indices ?? 0..<0 {
                    state.messages[key]?.preparations[index].state = ending
                }
            }
            return state.prepared
        }
        prepared.signal()
    }
}
