package import NotificationModel

/// Asking after requests, waiting for them, and taking them back.
extension RequestCoordinator {
    package func content(of key: RequestKey) async -> EmittedContent? {
        let caller = state.withLock { state in
            state.lastCaller += 1
            return state.lastCaller
        }
        let (isKnown, content) = await withTaskCancellationHandler {
            await wait(for: key, as: caller)
        } onCancel: {
            leave(key, as: caller)
        }
        state.withLock { _ = $0.gone.remove(caller) }
        return isKnown ? content : await journal.content(of: key)
    }

    private func wait(
        for key: RequestKey, as caller: RequestTable.Caller
    ) async -> (isKnown: Bool, content: EmittedContent?) {
        var isKnown = true
        let content = await withCheckedContinuation { (continuation: CheckedContinuation<EmittedContent?, Never>) in
            let answer: RequestTable.Wait? = state.withLock { state in
                if state.gone.contains(caller) { return nil }
                let answer = state.ledger.wait(for: key, as: caller)
                if answer == .waits { state.waiting[caller] = continuation }
                return answer
            }
            switch answer {
            case .waits: break
            case .has(let content): continuation.resume(returning: content)
            case .unknown:
                isKnown = false
                continuation.resume(returning: nil)
            case nil: continuation.resume(returning: nil)
            }
        }
        return (isKnown, content)
    }

    private func leave(_ key: RequestKey, as caller: RequestTable.Caller) {
        let (continuation, isUnwanted) = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: caller)
            if continuation == nil { state.gone.insert(caller) }
            return (continuation, state.ledger.leave(key, as: caller))
        }
        if isUnwanted { endWork(on: key) }
        continuation?.resume(returning: nil)
    }

    package func keepUndelivered(_ key: RequestKey) { journal.keepUndelivered(key) }

    package func state(of key: RequestKey) async -> RequestState? {
        if let known = state.withLock({ $0.ledger.state(of: key) }) { return known }
        return await journal.content(of: key).map(RequestState.emitted)
    }

    package func cancel(_ key: RequestKey) async -> CancelAnswer {
        switch state.withLock({ $0.ledger.cancel(key) }) {
        case true:
            endWork(on: key)
            return .cancelled
        case false: return .alreadyEmitted
        case nil: return await journal.content(of: key) == nil ? .unknown : .alreadyEmitted
        }
    }

    /// Cancels the work on a request that the ledger has as cancelled, or its wait for a permit.
    private func endWork(on key: RequestKey) {
        let (work, ticket) = state.withLock { ($0.work[key], $0.tickets[key]) }
        if let ticket { permits.abandon(ticket) }
        work?.cancel()
    }

    package func cancel(providerID: String, in group: AppGroupName?) async -> [RequestKey] {
        var cancelled: [RequestKey] = []
        for key in state.withLock({ $0.ledger.keys(ofProviderID: providerID, in: group) }) {
            if await cancel(key) == .cancelled { cancelled.append(key) }
        }
        return cancelled
    }

    package func events(after id: String?) -> AsyncStream<RequestEvent> { log.events(after: id) }

    package var load: RequestLoad {
        state.withLock { state in
            let running = state.ledger.runningCount
            return RequestLoad(
                running: running, queued: state.ledger.count - running, accepted: state.accepted,
                emitted: state.emitted)
        }
    }
}
