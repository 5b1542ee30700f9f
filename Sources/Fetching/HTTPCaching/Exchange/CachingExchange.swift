package import FoundationEssentials
import HTTPTypes
package import NotificationModel

/// The HTTP cache (RFC 9111). The cache answers a request from the store if the rules allow that, and otherwise from
/// the origin. It stores the response of the origin if the rules allow that.
///
/// The cache starts no tasks, keeps no state and runs on the executor of its caller. A request that the rules exclude
/// from caching goes to the origin. Only a request with `only-if-cached` is refused, with a 504, if no stored response
/// can answer it. If the caller is cancelled, `send` is cancelled too. Two simultaneous exchanges with the same key
/// send two requests to the origin. A caller that wants only one request must coalesce the exchanges first.
package struct CachingExchange: Sendable {
    let store: any ResponseStoring
    /// The mark of the fetch for which the cache was created.
    let mark: RecentPurges.Mark
    let policy: CachingPolicy
    let now: @Sendable () -> Date
    let makeID: @Sendable () -> String
    let keyOfOther: @Sendable (_ key: String, _ url: String) -> String

    /// A function that sends a request to the origin. A response of any status is a success. `mayServeStale` means that
    /// the request is conditional and a stored response may replace the response.
    package typealias Send = (
        _ request: OriginRequest, _ mayServeStale: Bool
    ) async -> Result<OriginResponse, MediaFailure>

    /// Creates the cache of a fetch that begins now.
    ///
    /// - Parameter now: a closure that returns the wall clock time, with which the dates in header fields are compared.
    /// - Parameter makeID: a closure that returns a new id for a stored response at each call.
    /// - Parameter keyOfOther: a closure that returns the key of another URL for the same client, given the key of one
    ///   URL. A request with an unsafe method invalidates the URLs that its response names (RFC 9111 §4.4). By default,
    ///   the key is the URL.
    package init(
        store: any ResponseStoring, policy: CachingPolicy = CachingPolicy(),
        now: @escaping @Sendable () -> Date = { Date() },
        makeID: @escaping @Sendable () -> String = { RandomUUID.text() },
        keyOfOther: @escaping @Sendable (_ key: String, _ url: String) -> String = { _, url in url }
    ) {
        self.store = store
        mark = store.purgeMark
        self.policy = policy
        self.now = now
        self.makeID = makeID
        self.keyOfOther = keyOfOther
    }

    /// Answers a request from the store or from the origin.
    ///
    /// - Parameter key: the key of the stored responses, which identifies the URL and the credentials of the request.
    /// - Parameter send: a function that is called at most twice. If a request with a condition or a range of the cache
    ///   gets no usable response, it is sent again without them.
    package func exchange(
        _ request: OriginRequest, key: String, send: Send
    ) async -> Result<OriginResponse, MediaFailure> {
        guard request.method == .get || request.method == .head else {
            return await forward(request, key: key, send: send)
        }
        let directives = CacheDirectives(request.fields)
        guard !directives.contains("no-store"), !Preconditions.areForOrigin(request.fields) else {
            return await send(request, false).map { ConnectionFields.removed(from: $0) }
        }
        var selection = StoredSelection(await store.responses(for: key), for: request)
        if let answer = await reused(&selection, request) { return .success(answer) }
        guard !directives.contains("only-if-cached") else {
            // RFC 9111 §5.2.1.7 requires a 504 for this case.
            return .success(OriginResponse(head: ResponseHead(status: 504), requestTime: now(), responseTime: now()))
        }
        return await ask(request, key: key, selection, send: send)
    }

    /// Validates a stale response at the origin after it has been used as an answer to a request (RFC 5861 §3). The
    /// conditions of the request are removed, because they concern the client's own copy.
    package func revalidate(_ request: OriginRequest, key: String, send: Send) async {
        var request = request
        request.fields = Preconditions.removed(from: request.fields)
        let selection = StoredSelection(await store.responses(for: key), for: request)
        _ = await ask(request, key: key, selection, send: send)
    }

    /// Sends a request that is not answered from the store, and removes the stored responses that it invalidates.
    private func forward(
        _ request: OriginRequest, key: String, send: Send
    ) async -> Result<OriginResponse, MediaFailure> {
        let result = await send(request, false)
        guard case .success(let response) = result else { return result }
        for url in Invalidation.urls(request, response.head) {
            await store.removeAll(for: url == request.url ? key : keyOfOther(key, url))
        }
        return .success(await kept(response, to: request, key: key, replacing: StoredSelection([], for: request)))
    }

    /// Returns a response from the store that needs no request to the origin; `nil` if the store has no such response.
    /// If the bytes of a stored response are gone, it is removed from the store and from the selection.
    private func reused(_ selection: inout StoredSelection, _ request: OriginRequest) async -> OriginResponse? {
        guard let chosen = selection.chosen, let coverage = selection.coverage else { return nil }
        let reuse = CacheDecision.judge(chosen, request.fields, now: now(), policy: policy)
        guard let body = await body(of: chosen) else {
            await store.remove([chosen.id])
            selection = StoredSelection(
                (selection.matching + selection.others).filter { $0.id != chosen.id }, for: request)
            return nil
        }
        if reuse == .validate { return nil }
        var answer = answer(chosen, coverage, body, to: request, reuse == .fresh ? .hit : .stale)
        answer.mustBeValidated = reuse == .staleWhileRevalidating
        return answer
    }
}

extension CachingExchange {
    /// Returns all stored bytes of a response, or an empty body if it has no bytes; `nil` if its bytes are gone.
    func body(of stored: StoredResponse) async -> ResponseBody? {
        guard !stored.storedBytes.isEmpty else { return .empty }
        return await store.body(of: stored).map { ResponseBody(file: $0, bytes: 0..<stored.storedBytes.count) }
    }

    /// Returns the response to a request from a stored response and its stored bytes.
    func answer(
        _ stored: StoredResponse, _ coverage: Coverage, _ body: ResponseBody, to request: OriginRequest,
        _ status: CacheStatus
    ) -> OriginResponse {
        let answer = ResponseFromStore(stored, coverage, to: request, now: now(), isValidated: status == .revalidated)
        var part = ResponseBody.empty
        if let bytes = answer.bytes, let file = body.file {
            part = ResponseBody(file: file, bytes: bytes.shifted(by: -stored.storedBytes.lowerBound))
        }
        return OriginResponse(
            head: answer.head, body: part, requestTime: stored.requestTime, responseTime: stored.responseTime,
            status: status, id: stored.id)
    }
}
