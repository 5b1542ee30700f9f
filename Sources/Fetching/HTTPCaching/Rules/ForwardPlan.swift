import HTTPTypes

/// The form in which a request is sent to the origin, which depends on the stored responses.
struct ForwardPlan: Sendable {
    /// The request of the caller, or a request with a condition or a range of the cache.
    var request: OriginRequest
    /// The stored responses that the condition names, to ask whether one of them is still current (RFC 9111 §4.3.1);
    /// empty if the cache adds no condition.
    var asked: [StoredResponse] = []
    /// The stored beginning whose missing rest the range requests (RFC 9111 §3.4, RFC 9110 §13.1.5); `nil` if the cache
    /// adds no range.
    var beginning: StoredResponse?

    init(unchanged request: OriginRequest) { self.request = request }

    init(_ request: OriginRequest, _ selection: StoredSelection) {
        self.request = request
        guard request.method == .get else { return }
        if let beginning = selection.beginning, !request.fields.contains(.range), !request.isConditional,
            let validator = Validators.strongText(beginning.head, received: beginning.responseTime)
        {
            self.request.fields[.range] = "bytes=\(beginning.storedBytes.upperBound)-"
            self.request.fields[.ifRange] = validator
            self.beginning = beginning
            return
        }
        asked = ([selection.chosen].compactMap(\.self) + selection.others)
            .filter { Validators.isAny(in: $0.head.fields) }
        if !asked.isEmpty { self.request = Self.conditional(request, asked, selection.chosen) }
    }

    /// Returns a conditional request with the entity tags of the stored responses and of the caller, so that the origin
    /// can confirm the caller's copy as well. The caller's date is compared with the stored response later.
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
