import FoundationEssentials
import HTTPTypes

/// The headers of a response from the store, and the range of its stored bytes (RFC 9111 §4, RFC 9110 §15.3.7, §15.4.5,
/// §15.5.17).
struct ResponseFromStore: Sendable, Equatable {
    var head: ResponseHead
    /// The positions of the body in the representation; `nil` if the response has no body.
    var bytes: Range<Int>?

    /// Creates the response to a request from a stored response. The fields that `no-cache="…"` names may be used only
    /// if the origin has just confirmed the stored response.
    init(_ stored: StoredResponse, _ coverage: Coverage, to request: OriginRequest, now: Date, isValidated: Bool) {
        head = stored.head
        if !isValidated {
            let withheld = CacheDirectives(head.fields).fieldNames("no-cache")
            head.fields = head.fields.filtered { !withheld.contains($0.canonicalName) }
        }
        head.fields[.age] = String(Int(Freshness.age(of: stored, now: now)))
        if Preconditions.hasCurrent(request.fields, stored) {
            becomeNotModified()
            return
        }
        switch coverage {
        case .whole:
            bytes = request.method == .head || stored.storedBytes.isEmpty ? nil : stored.storedBytes
        case .part(let range):
            head.status = 206
            head.fields[.contentRange] = ContentRange(bytes: range, completeLength: stored.completeLength).text
            head.fields[.contentLength] = String(range.count)
            bytes = range
        case .unsatisfiable(let length):
            becomeNotModified()
            head.status = 416
            head.fields[.contentRange] = "bytes */\(length)"
            head.fields[.contentLength] = "0"
        }
    }

    /// Turns the response into a 304, without `Content-` fields except `Content-Location` (RFC 9110 §15.4.5).
    private mutating func becomeNotModified() {
        head.status = 304
        head.fields = head.fields.filtered {
            $0 == .contentLocation || !$0.canonicalName.hasPrefix("content-")
        }
    }
}
