import Base
import FoundationEssentials
import Logging
import NotificationModel
import TestSupport

@testable import Features
@testable import RequestCoordinator

extension FakeDecoder: EnvelopeReading {
    /// Reads a submission as the pipeline does, apart from most keys of the envelope.
    func request(of submission: Submission) throws(EnvelopeError) -> NotificationRequest {
        if submission.object["unusable"] != nil { throw EnvelopeError(key: "unusable", problem: "is there") }
        var request = NotificationRequest(
            id: .new(millisecondsSince1970: 0), appGroup: submission.group ?? .default, profile: .web,
            budget: TimeBudget(received: submission.arrival.instant, length: .seconds(30)),
            receivedAt: submission.arrival.date, payload: submission.object["payload"]?.object ?? submission.object)
        request.isKeyed = submission.object["id"] != nil
        return request
    }
}

/// A store of named messages in memory, whose first changes can fail.
final class FakeMessageStore: MessageStoring {
    private struct State {
        var messages: [MessageKey: NamedMessage] = [:]
        var envelopes: [Int: [UInt8]] = [:]
        var contents: [String: [UInt8]] = [:]
        var lastVersion = 0
        var failures = 0
    }

    private let state = Guarded(State())

    /// Makes the next changes fail that end a preparation.
    func failPreparations(_ count: Int) { state.withLock { $0.failures = count } }

    func state(of key: MessageKey, for profile: MediaProfile) -> NamedMessage.State? {
        state.withLock { $0.messages[key]?.state(for: profile) }
    }

    func find(_ key: MessageKey, at date: Date) async -> MessageAnswer {
        state.withLock { $0.messages[key] }.flatMap { $0.expiresAt > date ? .stored($0, isNew: false) : nil }
            ?? .unknown
    }

    func envelope(of message: NamedMessage) async -> [UInt8]? { state.withLock { $0.envelopes[message.version] } }

    func content(of message: NamedMessage, for profile: MediaProfile) async -> EmittedContent? { nil }

    func messages(in group: AppGroupName, at date: Date) async -> [NamedMessage]? {
        state.withLock { $0.messages.values.filter { $0.key.group == group } }
    }

    func unprepared(at date: Date) async -> [NamedMessage]? {
        state.withLock { $0.messages.values.filter(\.isPreparing).sorted { $0.version < $1.version } }
    }

    func apply(_ change: MessageChange) async -> MessageAnswer {
        state.withLock { state in
            switch change.kind {
            case .put(let new):
                let old = state.messages[change.key]
                state.lastVersion += 1
                let message = NamedMessage(
                    key: change.key, version: state.lastVersion, updatedAt: change.date, expiresAt: new.expiresAt,
                    byteCount: new.envelope.count,
                    preparations: new.profiles.map { .init(profile: $0, state: .preparing) })
                state.messages[change.key] = message
                state.envelopes[message.version] = new.envelope
                return .stored(message, isNew: old == nil)
            case .prepare(let version, let profile, let ending, _):
                if state.failures > 0 {
                    state.failures -= 1
                    return .failed("the disk is full")
                }
                guard let message = state.messages[change.key], message.version == version,
                    let index = message.preparations.firstIndex(where: { $0.profile == profile })
                else { return .unknown }
                state.messages[change.key]?.preparations[index].state = ending
                return .stored(state.messages[change.key] ?? message, isNew: false)
            case .remove: return state.messages.removeValue(forKey: change.key) == nil ? .unknown : .removed
            }
        }
    }
}

/// Files that can be held, or not.
final class FakeFiles: FileHolding {
    private let areThere: Bool
    let ends = Record<Date>()

    init(areThere: Bool = true) { self.areThere = areThere }

    func hold(_ paths: [String], in group: AppGroupName, until date: Date) async -> Bool {
        ends.append(date)
        return areThere
    }
}

/// Named messages over a coordinator between fakes, which run during the body of a test.
struct MessageBench: Sendable {
    let bench: CoordinatorBench
    let store: FakeMessageStore
    let files: FakeFiles
    let messages: NamedMessages

    init(_ bench: CoordinatorBench = CoordinatorBench(), store: FakeMessageStore = .init(), files: FakeFiles = .init())
    {
        self.bench = bench
        self.store = store
        self.files = files
        messages = NamedMessages(
            .init(retention: .seconds(3_600), quota: 1 << 20), coordinator: bench.coordinator, reader: bench.decoder,
            store: store, files: files, clock: bench.clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    static func key(_ name: String = "welcome") throws -> MessageKey {
        struct NoName: Error {}
        guard let name = MessageName(name) else { throw NoName() }
        return MessageKey(group: .default, name: name)
    }

    func put(
        _ object: JSONObject = ["aps": [:]], as name: String = "welcome", for profiles: [MediaProfile] = [.ios],
        until expiry: MessageExpiry? = nil
    ) async throws -> MessageAnswer {
        await messages.put(
            Submission(object: object, channel: .detached, arrival: bench.clock.reading, group: .default),
            as: try Self.key(name), for: profiles, until: expiry, if: .none)
    }

    /// Runs the messages and the coordinator during the body, and returns the events of messages.
    func run(_ body: @Sendable () async throws -> Void) async throws -> [PreparedMessage] {
        let events = bench.coordinator.events(after: nil)
        try await bench.run {
            try await withThrowingTaskGroup { group in
                group.addTask { try await messages.run() }
                do { try await body() } catch {
                    messages.close()
                    throw error
                }
                messages.close()
                try await group.waitForAll()
            }
        }
        var prepared: [PreparedMessage] = []
        for await event in events { if case .prepared(let message) = event.kind { prepared.append(message) } }
        return prepared
    }

    /// Waits until the store has the end of a preparation.
    func end(of name: String = "welcome", for profile: MediaProfile = .ios) async throws {
        let key = try Self.key(name)
        try await wait(for: "the end of the preparation") { store.state(of: key, for: profile)?.isPreparing == false }
    }
}
