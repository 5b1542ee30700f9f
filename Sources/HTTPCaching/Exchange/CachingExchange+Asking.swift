import FoundationEssentials
import HTTPTypes
import NotificationModel

extension CachingExchange {
    /// Sends a request to the origin, and uses its response. If stored responses allow it, the request is conditional,
    /// or asks only for the rest of an incomplete response.
    func ask(
        _ request: OriginRequest, key: String, _ selection: StoredSelection,
        send: (OriginRequest) async -> Result<OriginResponse, MediaFailure>
    ) async -> Result<CachedResponse, MediaFailure> {
        let asking = ForwardPlan(request, selection)
        let response: OriginResponse
        switch await send(asking.request) {
        case .failure(let failure):
            if failure.leavesStale, let stale = await staleAnswer(selection, request) { return .success(stale) }
            return .failure(failure)
        case .success(let answer): response = answer
        }
        if StatusRules.isTrouble(response.head.status), let stale = await staleAnswer(selection, request) {
            return .success(stale)
        }
        switch asking {
        case .plainly: break
        case .whetherCurrent(_, let asked):
            guard response.head.status == 304 else { break }
            if let answer = await confirmed(response, asked, request, key: key) { return .success(answer) }
            // This 304 confirms no stored response. The 304 answers the caller's own condition, if the request has one.
            guard !isConditional(request) else { break }
            return await askPlainly(request, key: key, selection, send: send)
        case .forRest(_, let beginning):
            guard response.head.status == 206 || response.head.status == 416 else { break }
            if let answer = await completed(beginning, response, request, selection) {
                return .success(answer)
            }
            await store.remove([beginning.id])
            return await askPlainly(request, key: key, selection, send: send)
        }
        return .success(await kept(response, to: request, key: key, replacing: selection))
    }

    /// Sends a request without the conditions and ranges that the cache would add.
    private func askPlainly(
        _ request: OriginRequest, key: String, _ selection: StoredSelection,
        send: (OriginRequest) async -> Result<OriginResponse, MediaFailure>
    ) async -> Result<CachedResponse, MediaFailure> {
        switch await send(request) {
        case .failure(let failure):
            if failure.leavesStale, let stale = await staleAnswer(selection, request) { return .success(stale) }
            return .failure(failure)
        case .success(let response):
            return .success(await kept(response, to: request, key: key, replacing: selection))
        }
    }

    /// Returns the newest stored response that may replace a failed response (RFC 9111 §4.2.4, RFC 5861 §4); `nil` if
    /// there is no such response.
    private func staleAnswer(_ selection: StoredSelection, _ request: OriginRequest) async -> CachedResponse? {
        for candidate in selection.matching {
            guard let coverage = Coverage.of(candidate, for: request),
                CacheDecision.isUsableOnError(candidate, request.fields, now: now(), policy: policy),
                let body = await body(of: candidate)
            else { continue }
            return answer(candidate, coverage, body, to: request, .stale)
        }
        return nil
    }

    /// Returns whether a stored response could be used if the origin failed.
    package func hasStandIn(for request: OriginRequest, key: String) async -> Bool {
        await staleAnswer(StoredSelection(await store.responses(for: key), for: request), request) != nil
    }

    /// Updates the stored responses that a 304 confirms (RFC 9111 §4.3.3, §4.3.4).
    ///
    /// - Returns: the response from the first of them that suffices for the request; `nil` if no response suffices.
    private func confirmed(
        _ response: OriginResponse, _ asked: [StoredResponse], _ request: OriginRequest, key: String
    ) async -> CachedResponse? {
        var result: CachedResponse?
        for stored in Freshening.confirmed(by: response.head, received: response.responseTime, among: asked) {
            let updated = Freshening.updated(
                stored, with: response.head, request: request.fields, requestTime: response.requestTime,
                responseTime: response.responseTime)
            if result == nil, let coverage = Coverage.of(updated, for: request), let body = await body(of: stored) {
                result = answer(updated, coverage, body, to: request, .revalidated)
            }
            if CacheDirectives(updated.head.fields).contains("no-store") {
                await store.remove([stored.id])
            } else {
                await store.update(updated)
            }
        }
        return result
    }

    /// Returns whether the caller itself sent a condition that a 304 can answer.
    private func isConditional(_ request: OriginRequest) -> Bool {
        request.fields.contains(.ifNoneMatch) || request.fields.contains(.ifModifiedSince)
    }
}

extension ForwardPlan {
    /// The request that is sent to the origin.
    var request: OriginRequest {
        switch self {
        case .plainly(let request), .whetherCurrent(let request, _), .forRest(let request, _): request
        }
    }
}

extension MediaFailure {
    /// Whether a stale response may be used in place of this failure. A stale response may be used if the origin could
    /// not be asked in time, did not respond, or broke off its response. It may not be used if the request was refused
    /// or cancelled.
    var leavesStale: Bool {
        switch reason {
        case .dnsFailed, .connectFailed, .tlsFailed, .connectionLost, .truncated, .hostResting, .overloaded,
            .budgetExceeded:
            true
        default: false
        }
    }
}
