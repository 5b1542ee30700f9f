package import JSON
package import NotificationModel

/// The payload to send on: the provider's own JSON, with the renditions' public URLs in the places of its media's, and
/// what it says of them (type, size, width, height …) true of the renditions.
///
/// Nothing else is touched, unless the service that takes it to its receivers would refuse it for its size: then the
/// texts that people see are shortened by as little as that needs, bodies before subtitles before titles. Each keeps its
/// first character at least; where all of that is not enough they stay as they are. Texts of one line at several places
/// (a message to FCM has a body for each platform) are cut to the same length.
package struct ForwardedPayload: Sendable, Equatable {
    package let payload: JSONObject
    /// Of what the service counts, in UTF-8 without white space; of the whole payload where there is no limit.
    package let byteCount: Int
    /// Bytes. `nil`: it is sent to no service whose limit is known.
    package let limit: Int?
    /// Texts are shorter than the provider's.
    package let isTruncated: Bool

    /// Whether the service takes it.
    package var fits: Bool { limit.map { byteCount <= $0 } ?? true }

    /// - Parameters:
    ///   - reading: what a dialect found in this payload.
    ///   - publicURLs: by index into the media of the reading.
    ///   - renditions: what is known of the files at these URLs.
    ///   - text: what it is to say; `nil`: the provider's own texts.
    ///   - headers: those of APNs, where the envelope has them.
    package init(
        payload: JSONObject, reading: PushPayload, publicURLs: [Int: String], renditions: [Int: RenditionInfo] = [:],
        text: NotificationText? = nil,
        headers: JSONObject?, dialect: DialectID?
    ) {
        let pointing = reading.media.enumerated().reduce(payload) { payload, medium in
            guard let url = publicURLs[medium.offset] else { return payload }
            return payload.showing(url, renditions[medium.offset], in: medium.element)
        }
        let replaced = text.map { ForwardedText(text: $0).placed(in: pointing, at: reading.textPlaces) } ?? pointing
        guard
            let service = PushService(
                payload, isFCMMessage: reading.isFCMMessage, dialect: dialect, headers: headers)
        else {
            self.payload = replaced
            byteCount = JSONWriter.bytes(of: .object(replaced)).count
            limit = nil
            isTruncated = false
            return
        }
        let excess = service.byteCount(of: replaced) - service.limit
        let shortened = excess > 0 ? replaced.shortened(by: excess, limit: service.limit, at: reading.textPlaces) : nil
        self.payload = shortened ?? replaced
        byteCount = service.byteCount(of: shortened ?? replaced)
        limit = service.limit
        isTruncated = shortened != nil
    }

    package var json: JSONValue {
        [
            "payload": .object(payload),
            "bytes": .number(JSONNumber(byteCount)),
            "limit": limit.map { .number(JSONNumber($0)) } ?? .null,
            "truncated": .bool(isTruncated),
            "fits": .bool(fits),
        ]
    }
}

extension JSONObject {
    /// This payload with a rendition in place of a media item.
    fileprivate func showing(_ url: String, _ info: RenditionInfo?, in medium: MediaReference) -> JSONObject {
        guard let place = medium.path else { return self }
        var payload = JSONValue.object(self)
        for claim in medium.claims {
            let old = JSONNode(payload).node(at: claim.path).value
            guard let info, let value = claim.value(of: info, insteadOf: old) else { continue }
            guard old == nil, case .key(let key)? = claim.path.steps.last else {
                payload = payload.replacing(claim.path, with: value)
                continue
            }
            payload = payload.setting(key, to: value, at: JSONPath(claim.path.steps.dropLast()))
        }
        let key = medium.publicURLKey
        payload =
            key.map { payload.replacing(place, with: .string(url), as: $0) }
            ?? payload.replacing(place, with: .string(url))
        return payload.object ?? self
    }

    fileprivate func replacing(_ replacements: [(place: JSONPath, text: String)]) -> JSONObject {
        let value = replacements.reduce(JSONValue.object(self)) { value, replacement in
            value.replacing(replacement.place, with: .string(replacement.text))
        }
        return value.object ?? self
    }

    /// This payload with texts that are together so many bytes shorter, or a little more; `nil`: they have not so many
    /// to spare.
    fileprivate func shortened(by excess: Int, limit: Int, at places: [TextPlace]) -> JSONObject? {
        var excess = excess
        var replacements: [(place: JSONPath, text: String)] = []
        for line in lines(at: places) {
            let texts = line.compactMap { ShortenedText($0, limit: limit) }
            func saving(keeping count: Int) -> Int { texts.reduce(0) { $0 + $1.saving(keeping: count) } }
            let enough = (1...limit).last { saving(keeping: $0) >= excess }
            replacements += texts.map { ($0.place, $0.text(keeping: enough ?? 1)) }
            if enough != nil { return replacing(replacements) }
            excess -= saving(keeping: 1)
        }
        return nil
    }

    /// The texts that people see, in the order in which they can be spared: bodies, subtitles, titles.
    private func lines(at places: [TextPlace]) -> [[JSONNode]] {
        let texts = places.map { $0.lines(in: JSONNode(self)) }
        return [texts.map(\.body), texts.map(\.subtitle), texts.map(\.title)].map { line in
            line.compactMap(\.self).filter { $0.text != nil }
        }
    }
}
