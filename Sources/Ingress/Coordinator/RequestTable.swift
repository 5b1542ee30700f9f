package import NotificationModel

/// Which requests are on their way, who waits for them, and who may still take them back: pure.
///
/// A request enters when it is handed in, becomes known to all when the journal has it, is composed once, and leaves when
/// its result is durable. Callers are numbers here; the desk knows their continuations.
package struct RequestTable: ~Copyable {
    package typealias Caller = UInt64

    package enum Phase: Sendable, Equatable {
        /// The journal does not have it yet.
        case accepting
        case queued
        case running
        /// Its result is on the way to the disk; nobody can take it back.
        case composed(EmittedContent)
    }

    private struct Entry {
        let fingerprint: [UInt8]
        let providerID: String?
        /// It ends when the last of its callers leaves.
        var cancelsWithLastCaller: Bool
        var phase = Phase.accepting
        var isCancelled = false
        /// Callers get the result though it is not durable: their time is up.
        var isReleased = false
        /// Who waits for the journal's word.
        var joining: [Caller] = []
        var callers: Set<Caller> = []
    }

    package enum Arrival: Sendable, Equatable {
        case new
        /// The same request: wait for the journal's word as this caller.
        case joins
        case joined
        case conflict
        case full
    }

    package enum Wait: Sendable, Equatable {
        case unknown
        case waits
        case has(EmittedContent)
    }

    private let capacity: Int
    private var entries: [RequestKey: Entry] = [:]
    private var running = 0

    /// - Parameter capacity: requests on their way at a time; more are refused.
    package init(capacity: Int) { self.capacity = capacity }

    package var count: Int { entries.count }
    package var runningCount: Int { running }

    // MARK: Coming in

    package mutating func arrive(
        _ key: RequestKey, fingerprint: [UInt8], providerID: String?, origin: RequestOrigin, as caller: Caller
    ) -> Arrival {
        guard var entry = entries[key] else {
            guard entries.count < capacity else { return .full }
            enter(key, fingerprint: fingerprint, providerID: providerID, origin: origin)
            return .new
        }
        guard !origin.isSpool, entry.fingerprint == fingerprint else { return .conflict }
        if origin != .call { entry.cancelsWithLastCaller = false }
        let isAccepting = entry.phase == .accepting
        if isAccepting { entry.joining.append(caller) }
        entries[key] = entry
        return isAccepting ? .joins : .joined
    }

    /// Takes a request in that the journal has already, whatever the capacity.
    package mutating func recover(
        _ key: RequestKey, fingerprint: [UInt8], providerID: String?, origin: RequestOrigin
    ) {
        enter(key, fingerprint: fingerprint, providerID: providerID, origin: origin)
        entries[key]?.phase = .queued
        // Whoever waited for it is gone.
        entries[key]?.isCancelled = origin == .call
    }

    private mutating func enter(
        _ key: RequestKey, fingerprint: [UInt8], providerID: String?, origin: RequestOrigin
    ) {
        entries[key] = Entry(
            fingerprint: fingerprint, providerID: providerID, cancelsWithLastCaller: origin == .call)
    }

    /// The journal has it.
    ///
    /// - Returns: who joined meanwhile.
    package mutating func accepted(_ key: RequestKey) -> [Caller] {
        entries[key]?.phase = .queued
        let joining = entries[key]?.joining ?? []
        entries[key]?.joining = []
        return joining
    }

    /// The journal does not take it: it was never here.
    ///
    /// - Returns: who joined meanwhile.
    package mutating func refused(_ key: RequestKey) -> [Caller] { entries.removeValue(forKey: key)?.joining ?? [] }

    // MARK: On the way

    /// The first of its media has its turn.
    ///
    /// - Returns: whether that is news.
    package mutating func started(_ key: RequestKey) -> Bool {
        guard entries[key]?.phase == .queued else { return false }
        entries[key]?.phase = .running
        running += 1
        return true
    }

    package func isCancelled(_ key: RequestKey) -> Bool { entries[key]?.isCancelled ?? false }

    package func phase(of key: RequestKey) -> Phase? { entries[key]?.phase }

    /// Returns the state of a request that is not in the journal as emitted. A result counts when the journal has it, or
    /// from the deadline on: until then another result may take its place after a crash.
    package func state(of key: RequestKey) -> RequestState? {
        guard let entry = entries[key] else { return nil }
        return switch entry.phase {
        // Not acknowledged; an earlier request of the key may have its result.
        case .accepting: nil
        case .queued: .queued
        case .running: .running
        case .composed(let content): entry.isReleased ? .emitted(content) : .running
        }
    }

    /// Whether the result of a request is on its way to the disk, and its callers wait for it.
    package func isBeingWritten(_ key: RequestKey) -> Bool {
        guard let entry = entries[key], case .composed = entry.phase else { return false }
        return !entry.isReleased
    }

    /// Cancels a request that is not composed, and lets the caller wait for its result in any case. Only the result says
    /// whether the cancel was in time: the stages may have ended already, and the result is not composed yet.
    package mutating func cancel(_ key: RequestKey, as caller: Caller) -> Wait {
        let answer = wait(for: key, as: caller)
        if answer == .waits { _ = markCancelled(key) }
        return answer
    }

    /// - Returns: whether the work on the request is to be cancelled, now or when it begins.
    private mutating func markCancelled(_ key: RequestKey) -> Bool {
        switch entries[key]?.phase {
        case nil, .accepting, .composed: return false
        case .queued, .running:
            entries[key]?.isCancelled = true
            return true
        }
    }

    package func keys(ofProviderID providerID: String, in group: AppGroupName?) -> [RequestKey] {
        entries.filter { $0.value.providerID == providerID && (group == nil || $0.key.group == group) }.map(\.key)
    }

    // MARK: Waiting

    /// One that the journal has not accepted is nobody's yet: who waits under its key waits for an earlier request, whose
    /// result is out.
    package mutating func wait(for key: RequestKey, as caller: Caller) -> Wait {
        guard let entry = entries[key], entry.phase != .accepting else { return .unknown }
        if case .composed(let content) = entry.phase, entry.isReleased { return .has(content) }
        entries[key]?.callers.insert(caller)
        return .waits
    }

    /// - Returns: whether the request is to be cancelled, for nobody wants it any more.
    package mutating func leave(_ key: RequestKey, as caller: Caller) -> Bool {
        guard let entry = entries[key] else { return false }
        entries[key]?.callers.remove(caller)
        guard entry.cancelsWithLastCaller, entries[key]?.callers.isEmpty == true else { return false }
        return markCancelled(key)
    }

    // MARK: Going out

    /// - Returns: whether this is the first and only result.
    package mutating func composed(_ content: EmittedContent) -> Bool {
        guard let phase = entries[content.key]?.phase else { return false }
        if case .composed = phase { return false }
        if phase == .running { running -= 1 }
        entries[content.key]?.phase = .composed(content)
        return true
    }

    /// The time is up: who waits gets what there is.
    package mutating func release(_ key: RequestKey) -> (content: EmittedContent, callers: Set<Caller>)? {
        guard let entry = entries[key], case .composed(let content) = entry.phase else { return nil }
        entries[key]?.isReleased = true
        entries[key]?.callers = []
        return (content, entry.callers)
    }

    /// The result is durable: the request leaves.
    ///
    /// - Returns: who waits for it.
    package mutating func published(_ key: RequestKey) -> Set<Caller> {
        entries.removeValue(forKey: key)?.callers ?? []
    }
}

extension RequestOrigin {
    var isSpool: Bool { if case .spool = self { true } else { false } }
}
