import HTTPTypes

/// The form in which a request is sent to the origin, which depends on the stored responses.
enum ForwardPlan: Sendable {
    /// The request of the caller, unchanged.
    case plainly(OriginRequest)
    /// A conditional request that asks whether one of the stored responses is still current (RFC 9111 §4.3.1).
    case whetherCurrent(OriginRequest, [StoredResponse])
    /// A range request for the missing rest of a stored beginning (RFC 9111 §3.4, RFC 9110 §13.1.5).
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

    /// Returns a conditional request with the entity tags of the stored responses and of the caller. The origin can
    /// then confirm the caller's copy as well. The caller's date is left out, because it is compared with the stored
    /// response after the validation.
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
