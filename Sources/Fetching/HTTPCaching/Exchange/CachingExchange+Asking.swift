import HTTPTypes
import NotificationModel

extension CachingExchange {
    /// Sends a request to the origin, and uses its response. If stored responses allow it, the request is conditional,
    /// or asks only for the rest of an incomplete response. A `plan` decides on the form of the request instead.
    func ask(
        _ request: OriginRequest, key: String, _ selection: StoredSelection, as plan: ForwardPlan? = nil, send: Send
    ) async -> Result<OriginResponse, MediaFailure> {
        let plan = plan ?? ForwardPlan(request, selection)
        let hasStale = !plan.asked.isEmpty && selection.matching.contains { mayServeStale($0, for: request) }
        let result = await send(plan.request, hasStale)
        if let beginning = plan.beginning, StatusRules.refusesPart(result) {
            await store.remove([beginning.id])
            return await ask(request, key: key, selection, as: ForwardPlan(unchanged: request), send: send)
        }
        guard case .success(let response) = result else {
            guard case .failure(let failure) = result, failure.leavesStale else { return result }
            return await staleAnswer(selection, request).map { .success($0) } ?? result
        }
        if StatusRules.isTrouble(response.head.status), let stale = await staleAnswer(selection, request) {
            return .success(stale)
        }
        if let beginning = plan.beginning, [206, 416].contains(response.head.status) {
            if let answer = await completed(beginning, response, request, selection) { return .success(answer) }
            await store.remove([beginning.id])
            return await ask(request, key: key, selection, as: ForwardPlan(unchanged: request), send: send)
        }
        if !plan.asked.isEmpty, response.head.status == 304 {
            if let answer = await confirmed(response, plan.asked, request) { return .success(answer) }
            // This 304 confirms no stored response. The 304 answers the caller's own condition, if the request has one.
            if !request.isConditional {
                return await ask(request, key: key, selection, as: ForwardPlan(unchanged: request), send: send)
            }
        }
        return .success(await kept(response, to: request, key: key, replacing: selection))
    }

    /// Returns the newest stored response that may replace a failed response (RFC 9111 §4.2.4, RFC 5861 §4); `nil` if
    /// there is no such response.
    private func staleAnswer(_ selection: StoredSelection, _ request: OriginRequest) async -> OriginResponse? {
        for candidate in selection.matching where mayServeStale(candidate, for: request) {
            guard let coverage = Coverage.of(candidate, for: request), let body = await body(of: candidate) else {
                continue
            }
            return answer(candidate, coverage, body, to: request, .stale)
        }
        return nil
    }

    /// Returns whether a stored response may be used if the origin fails.
    private func mayServeStale(_ candidate: StoredResponse, for request: OriginRequest) -> Bool {
        Coverage.of(candidate, for: request) != nil
            && CacheDecision.isUsableOnError(candidate, request.fields, now: now(), policy: policy)
    }

    /// Updates the stored responses that a 304 confirms (RFC 9111 §4.3.3, §4.3.4). Returns the response from the first
    /// of them that suffices for the request; `nil` if no response suffices.
    private func confirmed(
        _ response: OriginResponse, _ asked: [StoredResponse], _ request: OriginRequest
    ) async -> OriginResponse? {
        var result: OriginResponse?
        for stored in Freshening.confirmed(by: response.head, received: response.responseTime, among: asked) {
            let updated = Freshening.updated(stored, by: response, to: request)
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
}

extension MediaFailure {
    /// Whether a stale response may be used in place of this failure, because the origin could not be asked in time,
    /// did not respond, or broke off its response. A refused or cancelled request gets no stale response.
    var leavesStale: Bool {
        switch reason {
        case .dnsFailed, .connectFailed, .tlsFailed, .connectionLost, .truncated, .hostResting, .overloaded,
            .budgetExceeded:
            true
        default: false
        }
    }
}
