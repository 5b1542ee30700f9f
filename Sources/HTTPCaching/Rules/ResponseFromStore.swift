import FoundationEssentials
import HTTPTypes

/// The head of an answer from the store, and which of the stored bytes go with it (RFC 9111 §4, RFC 9110 §15.3.7,
/// §15.4.5, §15.5.17).
struct ResponseFromStore: Sendable, Equatable {
    var head: ResponseHead
    /// Positions in the representation; `nil` for no body.
    var bytes: Range<Int>?

    /// - Parameter isValidated: the origin has just confirmed it, so that fields of `no-cache="…"` may be used.
    init(
        _ stored: StoredResponse, _ coverage: Coverage, to request: OriginRequest, now: Date, isValidated: Bool
    ) {
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

    /// What is about the content stays away (RFC 9110 §15.4.5), but for where it is.
    private mutating func becomeNotModified() {
        head.status = 304
        head.fields = head.fields.filtered {
            $0 == .contentLocation || !$0.canonicalName.hasPrefix("content-")
        }
    }
}

extension HTTPFields {
    func filtered(_ isKept: (HTTPField.Name) -> Bool) -> HTTPFields {
        var kept = HTTPFields()
        for field in self where isKept(field.name) { kept.append(field) }
        return kept
    }
}
