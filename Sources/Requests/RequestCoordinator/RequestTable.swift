package import NotificationModel

/// The table of in-flight requests, with the callers that wait for them. The table decides which callers may still
/// cancel a request, and does no I/O.
///
/// A request enters when it is submitted. It becomes visible to callers when the journal has it, is composed once, and
/// leaves when its result is durable. Callers are numbers here; the coordinator has their continuations.
package struct RequestTable: ~Copyable {
    package typealias Caller = UInt64

    package enum Phase: Sendable, Equatable {
        /// The journal does not have the request yet.
        case accepting
        case queued
        case running
        /// The result of the request is being written to the disk. The request can no longer be cancelled.
        case composed(EmittedContent)
    }

    private struct Entry {
        let fingerprint: [UInt8]
        let providerID: String?
        /// Whether the request is cancelled when its last caller stops waiting.
        var cancelsWithLastCaller: Bool
        var phase = Phase.accepting
        var isCancelled = false
        /// Whether callers get the result although it is not durable, because the deadline has passed.
        var isReleased = false
        /// The callers that wait for the journal's answer.
        var joining: [Caller] = []
        var callers: Set<Caller> = []
    }

    package enum Entrance: Sendable, Equatable {
        case new
        /// The same request was submitted before. The caller waits for the journal's answer.
        case joins
        case joined
        case conflict
        case full
        /// The group has its maximum number of requests.
        case groupFull
    }

    package enum Wait: Sendable, Equatable {
        case unknown
        case waits
        case has(EmittedContent)
    }

    private let capacity: Int
    private var entries: [RequestKey: Entry] = [:]
    private var running = 0
    /// The number of requests of each group that has any.
    private var counts: [AppGroupName: Int] = [:]

    /// - Parameter capacity: The maximum number of in-flight requests. Further requests are refused.
    package init(capacity: Int) { self.capacity = capacity }

    package var count: Int { entries.count }
    package var runningCount: Int { running }

    // MARK: Entrance of requests

    /// - Parameter maxOfGroup: The maximum number of in-flight requests of the group.
    package mutating func enter(
        _ key: RequestKey, fingerprint: [UInt8], providerID: String?, channel: RequestChannel, as caller: Caller,
        maxOfGroup: Int = .max
    ) -> Entrance {
        guard var entry = entries[key] else {
            guard entries.count < capacity else { return .full }
            guard counts[key.group, default: 0] < maxOfGroup else { return .groupFull }
            insert(key, fingerprint: fingerprint, providerID: providerID, channel: channel)
            return .new
        }
        guard !channel.isSpool, entry.fingerprint == fingerprint else { return .conflict }
        if channel != .call { entry.cancelsWithLastCaller = false }
        let isAccepting = entry.phase == .accepting
        if isAccepting { entry.joining.append(caller) }
        entries[key] = entry
        return isAccepting ? .joins : .joined
    }

    /// Adds a request that the journal already has, even if the table is full.
    package mutating func recover(
        _ key: RequestKey, fingerprint: [UInt8], providerID: String?, channel: RequestChannel
    ) {
        insert(key, fingerprint: fingerprint, providerID: providerID, channel: channel)
        entries[key]?.phase = .queued
        // The callers that waited for the request ended with the earlier daemon.
        entries[key]?.isCancelled = channel == .call
    }

    private mutating func insert(
        _ key: RequestKey, fingerprint: [UInt8], providerID: String?, channel: RequestChannel
    ) {
        entries[key] = Entry(fingerprint: fingerprint, providerID: providerID, cancelsWithLastCaller: channel == .call)
        counts[key.group, default: 0] += 1
    }

    private mutating func remove(_ key: RequestKey) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        let count = counts[key.group, default: 1] - 1
        counts[key.group] = count == 0 ? nil : count
        return entry
    }

    /// Records that the journal has a request.
    ///
    /// - Returns: The callers that joined it in the meantime.
    package mutating func accepted(_ key: RequestKey) -> [Caller] {
        entries[key]?.phase = .queued
        let joining = entries[key]?.joining ?? []
        entries[key]?.joining = []
        return joining
    }

    /// Removes a request that the journal did not accept.
    ///
    /// - Returns: The callers that joined it in the meantime.
    package mutating func refused(_ key: RequestKey) -> [Caller] { remove(key)?.joining ?? [] }

    // MARK: Processing of requests

    /// Records that the work on the first media item of a request has started.
    ///
    /// - Returns: Whether this is the first such report.
    package mutating func started(_ key: RequestKey) -> Bool {
        guard entries[key]?.phase == .queued else { return false }
        entries[key]?.phase = .running
        running += 1
        return true
    }

    package func isCancelled(_ key: RequestKey) -> Bool { entries[key]?.isCancelled ?? false }

    /// Returns the state of a request whose result is not in the journal. A result is reported when the journal has it,
    /// or after the deadline. Earlier, the request could still get another result after a crash.
    package func state(of key: RequestKey) -> RequestState? {
        guard let entry = entries[key] else { return nil }
        return switch entry.phase {
        // The request is not acknowledged yet. An earlier request with the key may have a result.
        case .accepting: nil
        case .queued: .queued
        case .running: .running
        case .composed(let content): entry.isReleased ? .emitted(content) : .running
        }
    }

    /// Returns whether the result of a request is being written to the disk, and its callers wait for it.
    package func isBeingWritten(_ key: RequestKey) -> Bool {
        guard let entry = entries[key], case .composed = entry.phase else { return false }
        return !entry.isReleased
    }

    /// Cancels a request that is not composed. The caller waits for the result even if the request is already composed.
    /// Only the result shows whether the cancellation was in time: the stages may have ended before the result is
    /// composed.
    package mutating func cancel(_ key: RequestKey, as caller: Caller) -> Wait {
        let answer = wait(for: key, as: caller)
        if answer == .waits { _ = markCancelled(key) }
        return answer
    }

    /// Marks a request as cancelled, unless it is composed or the journal does not have it.
    ///
    /// - Returns: Whether its work is to be cancelled, now or when it begins.
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

    // MARK: Callers that wait

    /// Adds a caller that waits for a result. A request that the journal has not accepted yet is reported as unknown. A
    /// caller that knows its key refers to an earlier request with this key, which is already emitted.
    package mutating func wait(for key: RequestKey, as caller: Caller) -> Wait {
        guard let entry = entries[key], entry.phase != .accepting else { return .unknown }
        if case .composed(let content) = entry.phase, entry.isReleased { return .has(content) }
        entries[key]?.callers.insert(caller)
        return .waits
    }

    /// Removes a caller that no longer waits.
    ///
    /// - Returns: Whether the request is to be cancelled, because no caller waits for it any more.
    package mutating func leave(_ key: RequestKey, as caller: Caller) -> Bool {
        guard let entry = entries[key] else { return false }
        entries[key]?.callers.remove(caller)
        guard entry.cancelsWithLastCaller, entries[key]?.callers.isEmpty == true else { return false }
        return markCancelled(key)
    }

    // MARK: Emission of results

    /// Records the result of a request. A second result has no effect.
    package mutating func composed(_ content: EmittedContent) {
        guard let phase = entries[content.key]?.phase else { return }
        if case .composed = phase { return }
        if phase == .running { running -= 1 }
        entries[content.key]?.phase = .composed(content)
    }

    /// Returns the result and its callers at the deadline, although the result may not be durable yet; `nil` if there
    /// is no result.
    package mutating func release(_ key: RequestKey) -> (content: EmittedContent, callers: Set<Caller>)? {
        guard let entry = entries[key], case .composed(let content) = entry.phase else { return nil }
        entries[key]?.isReleased = true
        entries[key]?.callers = []
        return (content, entry.callers)
    }

    /// Removes a request whose result is durable.
    ///
    /// - Returns: The callers that wait for it.
    package mutating func published(_ key: RequestKey) -> Set<Caller> {
        remove(key)?.callers ?? []
    }
}

extension RequestChannel {
    var isSpool: Bool { if case .spool = self { true } else { false } }
}
