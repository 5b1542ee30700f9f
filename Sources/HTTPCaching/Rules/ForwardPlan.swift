import HTTPTypes

/// How the origin is asked, given what is stored.
enum ForwardPlan: Sendable {
    /// As the caller asks.
    case plainly(OriginRequest)
    /// Whether one of these is still good (RFC 9111 §4.3.1).
    case whetherCurrent(OriginRequest, [StoredResponse])
    /// For what is missing of the beginning that is stored (RFC 9111 §3.4, RFC 9110 §13.1.5).
    case forRest(OriginRequest, StoredResponse)

    init(_ request: OriginRequest, _ selection: StoredSelection) {
        guard request.method == .get else {
            self = .plainly(request)
            return
        }
        if let beginning = selection.beginning, ByteRange(request.fields) == nil, !request.fields.contains(.range),
            !request.fields.contains(.ifNoneMatch), !request.fields.contains(.ifModifiedSince),
            let validator = Validators.strongText(beginning.head, received: beginning.responseTime)
        {
            var rest = request
            rest.fields[.range] = "bytes=\(beginning.storedBytes.upperBound)-"
            rest.fields[.ifRange] = validator
            self = .forRest(rest, beginning)
            return
        }
        let asked = [selection.chosen].compactMap(\.self) + selection.others
        let candidates = asked.filter { Validators.isAny(in: $0.head.fields) }
        guard !candidates.isEmpty else {
            self = .plainly(request)
            return
        }
        self = .whetherCurrent(Self.conditional(request, candidates, selection.chosen), candidates)
    }

    /// The tags of all that is stored, and the caller's own, so that the origin may confirm the caller's as well. The
    /// caller's date is left out: what is stored answers to it, once that is confirmed.
    private static func conditional(
        _ request: OriginRequest, _ candidates: [StoredResponse], _ chosen: StoredResponse?
    ) -> OriginRequest {
        var conditional = request
        var tags: [String] = []
        let own = candidates.compactMap { EntityTag($0.head.fields) }
        for tag in own + EntityTag.list(request.fields[values: .ifNoneMatch]) where !tags.contains(tag.text) {
            tags.append(tag.text)
        }
        conditional.fields = Preconditions.removed(from: request.fields)
        if !tags.isEmpty { conditional.fields[.ifNoneMatch] = tags.joined(separator: ", ") }
        if let changed = chosen?.head.fields[values: .lastModified].first {
            conditional.fields[.ifModifiedSince] = changed
        }
        return conditional
    }
}
