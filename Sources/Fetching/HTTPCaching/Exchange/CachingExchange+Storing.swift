import HTTPTypes
import NotificationModel

/// The part of the cache that stores the responses of the origin.
extension CachingExchange {
    /// The maximum number of stored partial responses that match one request.
    private static let maxParts = 8

    /// Stores a response of the origin if the rules allow it, and removes the stored responses that it supersedes. A
    /// response to HEAD updates stored responses instead. Returns the response for the caller, with the id of the
    /// stored response if it was stored.
    func kept(
        _ response: OriginResponse, to request: OriginRequest, key: String, replacing selection: StoredSelection
    ) async -> OriginResponse {
        let response = ConnectionFields.removed(from: response)
        var answer = response
        if request.method == .head {
            if let head = await updated(by: response, request, selection) { answer.head = head }
            return answer
        }
        guard response.codingFault == nil else { return answer }
        guard Storability.mayStore(response.head, to: request), let extent = StoredRange(of: response) else {
            // A whole response shows that the stored responses are out of date, even if it may not be stored itself.
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

    /// Stores a response that is not combined with another, and returns its id; `nil` if its body cannot be stored.
    private func insert(
        _ extent: StoredRange, _ response: OriginResponse, _ request: OriginRequest, key: String,
        _ selection: StoredSelection
    ) async -> String? {
        var head = response.head
        // Unparsed lines stay unparsed if they have a date.
        if head.value(of: .date) == nil {
            head.fields = DateField.added(to: head.fields, received: response.responseTime)
        }
        var stored = StoredResponse(
            id: makeID(), key: key, method: HTTPRequest.Method.get.rawValue,
            requestFields: VarySelection.selecting(request.fields, for: head), head: head,
            requestTime: response.requestTime, responseTime: response.responseTime, storedBytes: extent.bytes,
            completeLength: extent.completeLength)
        if head.status == 206, stored.isWhole { stored.head.makeWhole() }
        var (file, checksum) = (extent.bytes.isEmpty ? nil : response.body.file, response.body.checksum)
        if file != nil, response.body.bytes.lowerBound != 0 {
            (file, checksum) = (await store.joined([response.body]), nil)
        }
        guard extent.bytes.isEmpty || file != nil else { return nil }
        await store.insert(stored, body: file, checksum: checksum, since: mark)
        await remove(superseded(by: stored, in: selection))
        return stored.id
    }

    /// Returns the ids of the stored responses that a new one supersedes. A whole response supersedes all that match
    /// the same request. A part supersedes the parts that it contains, and the oldest parts beyond `maxParts`.
    func superseded(by new: StoredResponse, in selection: StoredSelection) -> [String] {
        let others = selection.matching.filter { $0.id != new.id }
        guard !new.isWhole else { return others.map(\.id) }
        let parts = others.filter { !$0.isWhole }
        let contained = parts.filter { new.storedBytes.contains($0.storedBytes) }
        let rest = parts.filter { !new.storedBytes.contains($0.storedBytes) }
        return (contained + rest.dropFirst(Self.maxParts - 1)).map(\.id)
    }

    /// Removes stored responses. In most cases the list is empty, and the store is not called.
    func remove(_ ids: [String]) async {
        if !ids.isEmpty { await store.remove(ids) }
    }

    /// Updates the stored responses that a response to HEAD describes, and removes those that it shows to be out of
    /// date (RFC 9111 §4.3.5). Returns the updated headers of a whole stored response; `nil` if there are none.
    private func updated(
        by response: OriginResponse, _ request: OriginRequest, _ selection: StoredSelection
    ) async -> ResponseHead? {
        guard response.head.status == 200 else { return nil }
        var result: ResponseHead?
        for stored in selection.matching where StatusRules.isSelected(stored.head.status) {
            switch HeadUpdate.judge(stored, response.head, received: response.responseTime) {
            case .update:
                let updated = Freshening.updated(stored, by: response, to: request)
                await store.update(updated)
                if stored.isWhole { result = result ?? updated.head }
            case .invalidate: await store.remove([stored.id])
            }
        }
        return result
    }
}
