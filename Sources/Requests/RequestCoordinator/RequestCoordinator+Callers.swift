package import Base
package import NotificationModel

/// The lookup of requests, the waits for their results, and the cancellation.
extension RequestCoordinator {
    package func content(of key: RequestKey) async -> EmittedContent? { await result(of: key).content }

    /// Waits for the result of a request.
    ///
    /// - Parameter cancels: Whether the request is cancelled first, unless its result is composed.
    /// - Returns: `isKnown` states whether the table or the journal has the request. `content` is `nil` for an unknown
    ///   request, after the task was cancelled, and if the daemon ends before the result is emitted.
    private func result(
        of key: RequestKey, cancels: Bool = false
    ) async -> (isKnown: Bool, content: EmittedContent?) {
        if Task.isCancelled {
            // The request may have no other caller. No waiting caller has the number 0.
            leave(key, as: 0)
            return (true, nil)
        }
        let waiter = Waiter<EmittedContent?>()
        var endsWork = false
        let (answer, caller) = state.withLock { state -> (RequestTable.Wait?, RequestTable.Caller) in
            state.lastCaller += 1
            let caller = state.lastCaller
            let answer = cancels ? state.table.cancel(key, as: caller) : state.table.wait(for: key, as: caller)
            guard answer == .waits else { return (answer, caller) }
            if state.hasEnded { return (nil, caller) }
            // If the request is composed, its work continues, because its media must still be recorded in the index.
            endsWork = cancels && state.table.isCancelled(key)
            state.waiting[caller] = waiter
            return (answer, caller)
        }
        switch answer {
        case .waits:
            if endsWork { endWork(on: key) }
            return (true, await waiter.value { _ in leave(key, as: caller) })
        case .has(let content): return (true, content)
        case nil: return (true, nil)
        case .unknown:
            let earlier = await journal.content(of: key)
            return (earlier != nil, earlier)
        }
    }

    private func leave(_ key: RequestKey, as caller: RequestTable.Caller) {
        let (waiter, isUnwanted) = state.withLock { state in
            (state.waiting.removeValue(forKey: caller), state.table.leave(key, as: caller))
        }
        if isUnwanted { endWork(on: key) }
        waiter?.resume(returning: nil)
    }

    package func keepUndelivered(_ key: RequestKey) { journal.keepUndelivered(key) }

    package func state(of key: RequestKey) async -> RequestState? {
        let (known, isBeingWritten) = state.withLock { state in
            (state.table.state(of: key), state.table.isBeingWritten(key))
        }
        if let known, !isBeingWritten { return known }
        // The journal may have published the result without having reported it.
        if let content = await journal.content(of: key) { return .emitted(content) }
        guard isBeingWritten else { return nil }
        if let known = state.withLock({ $0.table.state(of: key) }) { return known }
        // The result was published after the journal was asked, and the table has forgotten the request.
        return await journal.content(of: key).map { .emitted($0) }
    }

    package func cancel(_ key: RequestKey) async -> CancelAnswer {
        let (isKnown, content) = await result(of: key, cancels: true)
        guard let content else { return isKnown ? .closing : .unknown }
        return content.outcome == .cancelled ? .cancelled : .alreadyEmitted
    }

    /// Cancels the work on a request that the table has marked as cancelled, or its wait for a permit.
    private func endWork(on key: RequestKey) {
        let (planned, ticket) = state.withLock { ($0.planned[key], $0.tickets[key]) }
        planned?.cancel()
        if let ticket { permits.abandon(ticket) }
    }

    package func cancel(providerID: String, in group: AppGroupName?) async -> [RequestKey] {
        let keys = state.withLock { $0.table.keys(ofProviderID: providerID, in: group) }
        return await withTaskGroup(of: RequestKey?.self) { tasks in
            for key in keys { tasks.addTask { await self.cancel(key) == .cancelled ? key : nil } }
            return await tasks.reduce(into: []) { cancelled, key in if let key { cancelled.append(key) } }
        }
    }

    package func subscribe(after id: String?) -> EventSubscription { log.subscribe(after: id) }

    package var lastSingleRequest: MonotonicInstant? { state.withLock { $0.lastSingleRequest } }

    /// The figures of the last results, for `GET /v1/status`.
    package var recentResults: JSONValue { state.withLock { $0.recent.json(at: clock.now) } }

    /// The slowest and the failed requests of the last hour, for `GET /v1/samples`.
    package var requestSamples: JSONValue { samples.json(at: clock.now) }

    package var load: RequestLoad {
        state.withLock { state in
            let running = state.table.runningCount
            return RequestLoad(
                running: running, queued: state.table.count - running, accepted: state.accepted,
                emitted: state.emitted)
        }
    }
}
