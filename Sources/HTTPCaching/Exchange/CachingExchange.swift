package import FoundationEssentials
import HTTPTypes
package import NotificationModel

/// A request through the cache: answered from the store where the rules allow it, otherwise by the origin, whose answer
/// is stored where they allow that.
///
/// It starts no tasks, keeps no state and runs where its caller does; cancelling the caller cancels what `send` does.
/// Two exchanges under one key at once are two requests to the origin: whoever wants one waits before it calls.
package struct CachingExchange: Sendable {
    let store: any ResponseStoring
    let policy: CachingPolicy
    let now: @Sendable () -> Date
    let makeID: @Sendable () -> String
    let keyOfOther: @Sendable (_ key: String, _ url: String) -> String

    /// - Parameters:
    ///   - now: the wall clock; dates of HTTP are compared with it.
    ///   - makeID: a new name for stored bytes at each call.
    ///   - keyOfOther: the key of another URL for the same asker, given the key of one: a request that changes
    ///     something invalidates what its answer names (RFC 9111 §4.4). Where keys are URLs, that URL.
    package init(
        store: any ResponseStoring, policy: CachingPolicy = CachingPolicy(),
        now: @escaping @Sendable () -> Date = { Date() },
        makeID: @escaping @Sendable () -> String = { UUID().uuidString },
        keyOfOther: @escaping @Sendable (_ key: String, _ url: String) -> String = { _, url in url }
    ) {
        self.store = store
        self.policy = policy
        self.now = now
        self.makeID = makeID
        self.keyOfOther = keyOfOther
    }

    /// - Parameters:
    ///   - key: whose answer it is: the URL, and with what credentials it is asked for.
    ///   - send: asks the origin. It is called at most three times, one after the other: a condition or a range of ours
    ///     that came to nothing is asked again without it. An answer of any status is a success.
    package func exchange(
        _ request: OriginRequest, key: String,
        send: (OriginRequest) async -> Result<OriginResponse, MediaFailure>
    ) async -> Result<CachedResponse, MediaFailure> {
        guard request.method == .get || request.method == .head else {
            return await forward(request, key: key, send: send)
        }
        let directives = CacheDirectives(request.fields)
        guard !directives.contains("no-store"), !Preconditions.areForOrigin(request.fields) else {
            return await passBy(request, send: send)
        }
        var selection = StoredSelection(await store.responses(for: key), for: request)
        if let answer = await reused(&selection, request, key: key) { return .success(answer) }
        guard !directives.contains("only-if-cached") else {
            // RFC 9111 §5.2.1.7.
            return .success(CachedResponse(head: ResponseHead(status: 504), status: .miss))
        }
        return await ask(request, key: key, selection, send: send)
    }

    /// Asks the origin about a stale response that has been given.
    package func revalidate(
        _ revalidation: Revalidation, send: (OriginRequest) async -> Result<OriginResponse, MediaFailure>
    ) async {
        var request = revalidation.request
        // What the caller has is its own matter; this is about what is stored.
        request.fields = Preconditions.removed(from: request.fields)
        let stored = await store.responses(for: revalidation.key)
        _ = await ask(request, key: revalidation.key, StoredSelection(stored, for: request), send: send)
    }

    /// Neither answered from the store nor stored.
    private func passBy(
        _ request: OriginRequest, send: (OriginRequest) async -> Result<OriginResponse, MediaFailure>
    ) async -> Result<CachedResponse, MediaFailure> {
        await send(request).map { response in
            let fields = ConnectionFields.removed(from: response.head.fields)
            return CachedResponse(
                head: ResponseHead(status: response.head.status, fields: fields), body: response.body,
                isComplete: response.isComplete, status: .miss)
        }
    }

    /// Methods that are not answered from the store.
    private func forward(
        _ request: OriginRequest, key: String, send: (OriginRequest) async -> Result<OriginResponse, MediaFailure>
    ) async -> Result<CachedResponse, MediaFailure> {
        let response: OriginResponse
        switch await send(request) {
        case .failure(let failure): return .failure(failure)
        case .success(let answer): response = answer
        }
        for url in Invalidation.urls(request, response.head) {
            await store.removeAll(for: url == request.url ? key : keyOfOther(key, url))
        }
        return .success(await kept(response, to: request, key: key, replacing: StoredSelection([], for: request)))
    }

    /// The answer that needs no asking. What has lost its bytes leaves the selection.
    private func reused(
        _ selection: inout StoredSelection, _ request: OriginRequest, key: String
    ) async -> CachedResponse? {
        guard let chosen = selection.chosen, let coverage = selection.coverage else { return nil }
        let reuse = CacheDecision.judge(chosen, request.fields, now: now(), policy: policy)
        guard let body = await body(of: chosen) else {
            await store.remove([chosen.id])
            selection = StoredSelection(
                (selection.matching + selection.others).filter { $0.id != chosen.id }, for: request)
            return nil
        }
        let revalidation = Revalidation(request: request, key: key)
        switch reuse {
        case .validate: return nil
        case .fresh: return answer(chosen, coverage, body, to: request, .hit)
        case .stale: return answer(chosen, coverage, body, to: request, .stale)
        case .staleWhileRevalidating:
            var stale = answer(chosen, coverage, body, to: request, .stale)
            stale.revalidation = revalidation
            return stale
        }
    }
}

extension CachingExchange {
    /// All that is stored of a response, or no bytes where it has none; `nil` where they are gone.
    func body(of stored: StoredResponse) async -> ResponseBody? {
        guard !stored.storedBytes.isEmpty else { return .empty }
        return await store.body(of: stored).map { ResponseBody(file: $0, bytes: 0..<stored.storedBytes.count) }
    }

    func answer(
        _ stored: StoredResponse, _ coverage: Coverage, _ body: ResponseBody, to request: OriginRequest,
        _ status: CacheStatus
    ) -> CachedResponse {
        let answer = ResponseFromStore(stored, coverage, to: request, now: now(), isValidated: status == .revalidated)
        var part = ResponseBody.empty
        if let bytes = answer.bytes, let file = body.file {
            part = ResponseBody(file: file, bytes: bytes.shifted(by: -stored.storedBytes.lowerBound))
        }
        return CachedResponse(head: answer.head, body: part, status: status, id: stored.id)
    }
}
