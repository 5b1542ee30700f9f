import LinuxIO
import NotificationModel

/// The combination of a partial response with a stored part of the same representation (RFC 9111 §3.4).
extension CachingExchange {
    /// Combines a stored beginning with the response to the range request for the rest. Returns the whole
    /// representation, or more of it than was stored; `nil` if the two cannot be combined.
    func completed(
        _ beginning: StoredResponse, _ response: OriginResponse, _ request: OriginRequest,
        _ selection: StoredSelection
    ) async -> OriginResponse? {
        let response = ConnectionFields.removed(from: response)
        guard let extent = StoredRange(of: response), extent.bytes.lowerBound == beginning.storedBytes.upperBound,
            let combiner = PartialContentCombiner(beginning, extent, response.head, received: response.responseTime),
            let file = await file(of: beginning, combiner, extent, response)
        else { return nil }
        let result = storedResponse(of: beginning, combiner, response, request)
        var answer = response
        answer.head = result.head
        answer.head.makeWhole()
        answer.body = ResponseBody(file: file, bytes: 0..<combiner.bytes.count)
        if !combiner.isWhole, response.isComplete {
            answer.failure = MediaFailure(.truncated, "the origin sent less than the requested rest")
        }
        if Storability.mayStore(response.head, to: request) {
            await store.insert(result, body: file, since: mark)
            answer.id = result.id
            await remove(superseded(by: result, in: selection))
        } else {
            await store.remove([beginning.id])
        }
        return answer
    }

    /// Combines a partial response with the first stored part that it fits, and stores the result in place of both.
    /// Returns the stored result; `nil` if no stored part fits.
    func combined(
        _ extent: StoredRange, _ response: OriginResponse, _ request: OriginRequest, _ selection: StoredSelection
    ) async -> StoredResponse? {
        for part in selection.matching where !part.isWhole {
            guard let combiner = PartialContentCombiner(part, extent, response.head, received: response.responseTime),
                let file = await file(of: part, combiner, extent, response)
            else { continue }
            let result = storedResponse(of: part, combiner, response, request)
            await store.insert(result, body: file, since: mark)
            await store.remove([part.id] + superseded(by: result, in: selection).filter { $0 != part.id })
            return result
        }
        return nil
    }

    /// Returns the description of the combined bytes, with the newer header fields and a new id.
    private func storedResponse(
        of part: StoredResponse, _ combiner: PartialContentCombiner, _ response: OriginResponse,
        _ request: OriginRequest
    ) -> StoredResponse {
        var result = Freshening.updated(part, by: response, to: request)
        result.id = makeID()
        result.head = combiner.head(result.head)
        result.storedBytes = combiner.bytes
        result.completeLength = combiner.completeLength
        return result
    }

    /// Writes the bytes of a stored part and of a response into one file, in the order of the representation. Returns
    /// the file; `nil` if either body is gone, or if the store cannot combine files.
    private func file(
        of part: StoredResponse, _ combiner: PartialContentCombiner, _ extent: StoredRange, _ response: OriginResponse
    ) async -> MediaFile? {
        guard let new = response.body.file, let old = await store.body(of: part) else { return nil }
        return await store.joined(
            combiner.pieces.map { piece in
                switch piece {
                case .stored(let range):
                    ResponseBody(file: old, bytes: range.shifted(by: -part.storedBytes.lowerBound))
                case .new(let range):
                    ResponseBody(
                        file: new, bytes: range.shifted(by: response.body.bytes.lowerBound - extent.bytes.lowerBound))
                }
            })
    }
}

extension Range<Int> {
    func shifted(by offset: Int) -> Range<Int> { (lowerBound + offset)..<(upperBound + offset) }
}
