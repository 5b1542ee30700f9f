import FoundationEssentials
import HTTPTypes
import NotificationModel

extension CachingExchange {
    /// How many parts of representations are kept under one key.
    private static let mostParts = 8

    /// Stores an answer of the origin where the rules allow it, in the place of what it supersedes.
    func kept(
        _ response: OriginResponse, to request: OriginRequest, key: String, replacing selection: StoredSelection
    ) async -> CachedResponse {
        var response = response
        response.head.fields = ConnectionFields.removed(from: response.head.fields)
        var answer = CachedResponse(
            head: response.head, body: response.body, isComplete: response.isComplete, status: .miss)
        if request.method == .head {
            if let head = await updated(by: response, request, selection) { answer.head = head }
            return answer
        }
        guard Storability.mayStore(response.head, to: request), let extent = StoredRange(of: response) else {
            // What is there is known to be out of date, though this may not take its place.
            if request.method == .get, response.head.status == 200, response.isComplete {
                await remove(selection.matching.map(\.id))
            }
            return answer
        }
        if response.head.status == 206, let id = await combined(extent, response, request, selection)?.id {
            answer.id = id
            return answer
        }
        answer.id = await insert(extent, response, request, key: key, selection)
        return answer
    }

    private func insert(
        _ extent: StoredRange, _ response: OriginResponse, _ request: OriginRequest, key: String,
        _ selection: StoredSelection
    ) async -> String? {
        var head = response.head
        head.fields = DateField.added(to: head.fields, received: response.responseTime)
        var stored = StoredResponse(
            id: makeID(), key: key, method: HTTPRequest.Method.get.rawValue,
            requestFields: VarySelection.selecting(request.fields, for: head), head: head,
            requestTime: response.requestTime, responseTime: response.responseTime, storedBytes: extent.bytes,
            completeLength: extent.completeLength)
        if head.status == 206, stored.isWhole {
            stored.head.status = 200
            stored.head.fields[.contentRange] = nil
        }
        var file = extent.bytes.isEmpty ? nil : response.body.file
        if file != nil, response.body.bytes.lowerBound != 0 { file = await store.joined([response.body]) }
        guard extent.bytes.isEmpty || file != nil else { return nil }
        await store.insert(stored, body: file)
        await remove(superseded(by: stored, in: selection))
        return stored.id
    }

    /// What nobody will ask for any more once this is there: all that matches the same request, for a whole; for a part,
    /// the parts that it contains, and the oldest of too many.
    func superseded(by new: StoredResponse, in selection: StoredSelection) -> [String] {
        let others = selection.matching.filter { $0.id != new.id }
        guard !new.isWhole else { return others.map(\.id) }
        let parts = others.filter { !$0.isWhole }
        let contained = parts.filter {
            new.storedBytes.lowerBound <= $0.storedBytes.lowerBound
                && $0.storedBytes.upperBound <= new.storedBytes.upperBound
        }
        let rest = parts.filter { part in !contained.contains { $0.id == part.id } }
        return (contained + rest.dropFirst(Self.mostParts - 1)).map(\.id)
    }

    /// Mostly none: to ask the store takes it off its own work.
    func remove(_ ids: [String]) async {
        if !ids.isEmpty { await store.remove(ids) }
    }

    /// RFC 9111 §4.3.5: the head as it is stored now, where it is of the same representation.
    private func updated(
        by response: OriginResponse, _ request: OriginRequest, _ selection: StoredSelection
    ) async -> ResponseHead? {
        guard response.head.status == 200 else { return nil }
        var result: ResponseHead?
        for stored in selection.matching where StatusRules.isSelected(stored.head.status) {
            switch HeadUpdate.judge(stored, response.head, received: response.responseTime) {
            case .update:
                let updated = Freshening.updated(
                    stored, with: response.head, request: request.fields, requestTime: response.requestTime,
                    responseTime: response.responseTime)
                await store.update(updated)
                if stored.isWhole { result = result ?? updated.head }
            case .invalidate: await store.remove([stored.id])
            }
        }
        return result
    }
}
