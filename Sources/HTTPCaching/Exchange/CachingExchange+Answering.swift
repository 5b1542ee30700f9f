import FoundationEssentials
import HTTPTypes
import NotificationModel

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
